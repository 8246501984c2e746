//! The rules of our style that a machine can check: pure functions, run over the repository as
//! tests.
//!
//! A check is a function of one file and of the rest of the repository. An exception stands beside
//! its rule with its reason; no rule is switched off inline.
import { bans, unfinished } from './tidy/banned.ts';
import {
  changelogShape,
  decisionList,
  decisionShape,
  dependenciesExplained,
  documentCodes,
  documentCommands,
  documentLinks,
  documentPaths,
  noMachinePaths,
} from './tidy/documents.ts';
import { fileNames, glossaryWords, nameParts } from './tidy/names.ts';
import { barrels, folderSize, noCallInTransaction, openingLine, testBeside } from './tidy/shape.ts';
import { columns, fileLength, functionLength } from './tidy/size.ts';
import type { Check, Repository, Source } from './tidy/source.ts';
import { pinnedActions, workflowCommands } from './tidy/workflows.ts';

export const checks: readonly Check[] = [
  fileNames,
  openingLine,
  fileLength,
  functionLength,
  columns,
  barrels,
  testBeside,
  folderSize,
  noCallInTransaction,
  nameParts,
  glossaryWords,
  ...bans,
  unfinished,
  documentPaths,
  documentLinks,
  documentCommands,
  documentCodes,
  changelogShape,
  decisionList,
  decisionShape,
  dependenciesExplained,
  noMachinePaths,
  pinnedActions,
  workflowCommands,
];

export function findBreaches(
  check: Check,
  sources: readonly Source[],
  repository: Repository,
): string[] {
  return sources.flatMap((source) => check.find(source, repository));
}

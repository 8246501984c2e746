//! L9: a package that was taken over runs its script when the repository is installed.
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTemporaryFolder } from '../../../../apps/cli/src/temporary-folder.ts';
import { type Attack, unrecorded } from '../attack.ts';

const ROOT = join(import.meta.dirname, '../../../..');

export const attack: Attack = {
  id: 'L9',
  title: 'run code of a package while it is installed',
  evidence: unrecorded('nothing of the package runs'),
  run: async () => {
    using folder = createTemporaryFolder('holdfast-install');
    const [package_, project] = [join(folder.path, 'package'), join(folder.path, 'project')];
    const marker = join(folder.path, 'ran');
    writePackage(package_, {
      scripts: { postinstall: `node -e "require('fs').writeFileSync('${marker}', '')"` },
    });
    const env = environmentWithoutNpm();
    const npm = (cwd: string, ...args: string[]) =>
      execFileSync('npm', [...args, '--offline', '--no-audit'], { cwd, env, stdio: 'pipe' });
    npm(package_, 'pack', '--ignore-scripts');
    writePackage(project, { name: 'project', private: true });
    copyFileSync(join(ROOT, '.npmrc'), join(project, '.npmrc'));
    npm(project, 'install', join(package_, 'taken-over-1.0.0.tgz'));
    if (!existsSync(join(project, 'node_modules/taken-over'))) throw new Error('not installed');
    return existsSync(marker) ? 'the script of the package ran' : undefined;
  },
  withoutFix: { file: '.npmrc', find: 'ignore-scripts=true', replace: 'ignore-scripts=false' },
};

/** `npm run` exports the settings of its own project, and they win over the project's `.npmrc`. */
function environmentWithoutNpm(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^npm_config_/i.test(name));
  return Object.fromEntries(others);
}

function writePackage(folder: string, fields: object): void {
  mkdirSync(folder);
  const manifest = { name: 'taken-over', version: '1.0.0', ...fields };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
}

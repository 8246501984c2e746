//! Import rules for dependency-cruiser, read off the table in tools/tidy/arrows.ts.
const { globSync, readFileSync } = require('node:fs');
const { MODULES } = require('./tools/tidy/areas.ts');
const { ARROWS } = require('./tools/tidy/arrows.ts');
const { isOperation } = require('./tools/tidy/operations.ts');

const OURS = '^(apps|packages|examples|tests|tools|bench)/';
/** Tests, and what only tests use, may look anywhere. */
const HARNESS = '\\.test\\.ts$|/testing/';

function arrowRule({ from, may, types = [], packages }) {
  const inside = [from, ...may, ...types].map((folder) => `^${folder}(/|$)`);
  // A package of its own version lies below the one that declares it.
  const outside = packages === 'declared' ? ['/node_modules/'] : packages.map(packagePath);
  return {
    name: `arrow ${from}`,
    severity: 'error',
    comment: `may import ${[...may, ...(packages === 'declared' ? ['its packages'] : packages)].join(', ') || 'nothing'}`,
    from: { path: `^${from}/`, pathNot: HARNESS },
    to: {
      path: packages === 'declared' ? OURS : '.',
      pathNot: [...inside, ...outside],
    },
  };
}

function typesRule({ from, types }) {
  return {
    name: `types ${from}`,
    severity: 'error',
    comment: `may import ${types.join(', ')} as a type only`,
    from: { path: `^${from}/`, pathNot: HARNESS },
    to: { path: types.map((file) => `^${file}$`), dependencyTypesNot: ['type-only'] },
  };
}

function packagePath(name) {
  return name === 'node' ? '^(node:)?[a-z_/]+$' : `(^|/)node_modules/(@types/)?${name}/`;
}

function operationPaths() {
  const files = MODULES.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: __dirname }));
  return files
    .filter((path) => isOperation({ path, text: readFileSync(`${__dirname}/${path}`, 'utf8') }))
    .map((path) => `^${path}$`);
}

module.exports = {
  forbidden: [
    ...ARROWS.map(arrowRule),
    ...ARROWS.filter(({ types }) => types).map(typesRule),
    {
      name: 'private row file',
      severity: 'error',
      comment: 'surfaces, jobs and sagas call operations, never a row file',
      from: { path: '^apps/server/src/(api/surface-[ab]|app/(jobs|sagas))', pathNot: HARNESS },
      to: { path: MODULES.map((folder) => `^${folder}/`), pathNot: operationPaths() },
    },
    {
      name: 'no cycle',
      severity: 'error',
      comment: 'a cycle has no first file to read',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no test in the product',
      severity: 'error',
      comment: 'what ships does not import what tests it',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: HARNESS },
      to: { path: [HARNESS, '^(tests|tools|bench)/'] },
    },
    {
      name: 'no undeclared package',
      severity: 'error',
      comment: 'a package used by src stands in the dependencies of its own package.json',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: HARNESS },
      to: {
        path: 'node_modules',
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'undetermined'],
        dependencyTypesNot: ['npm', 'type-only'],
      },
    },
    {
      name: 'no unresolved import',
      severity: 'error',
      comment: 'an import that is not found is an arrow that nobody checks',
      from: {},
      to: { couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What was built, and what is planted. Not `dist` as such: the packages we import ship theirs.
    exclude: { path: ['^(apps|packages)/[^/]+/(dist|[.]cache|[.]astro)/', '^tools/fixtures/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@holdfast/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.json'],
    },
  },
};

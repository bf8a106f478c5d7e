// The arrows between the rooms of src/ (docs/architecture.md). Whatever is not listed here is forbidden.
const arrows = {
  meta: [],
  storage: [],
  streams: [],
  codec: ['schema', 'meta'],
  schema: ['cel', 'meta'],
  merge: ['schema', 'meta'],
  store: ['storage', 'codec', 'meta'],
  client: ['codec', 'meta'],
  cel: ['meta'],
  authn: ['cel', 'codec', 'client', 'meta'],
  authz: ['authn', 'cel', 'codec', 'client', 'meta'],
  audit: ['codec', 'meta'],
  controllers: ['client', 'meta'],
  pki: ['controllers', 'meta'],
  bootstrap: ['authn', 'authz', 'client', 'meta'],
  admission: ['merge', 'authz', 'cel', 'client', 'codec', 'meta'],
  registry: ['schema', 'merge', 'store', 'codec', 'admission', 'meta'],
  resources: ['registry', 'admission', 'schema', 'cel', 'pki', 'meta'],
  extensions: ['resources', 'registry', 'store', 'schema', 'client', 'codec', 'meta'],
  'service-addresses': ['resources', 'registry', 'client', 'meta'],
  http: ['codec', 'admission', 'audit', 'authn', 'authz', 'registry', 'schema', 'meta'],
  proxy: ['http', 'authn', 'client', 'meta'],
  virtual: ['http', 'admission', 'resources', 'registry', 'storage', 'schema', 'codec', 'authn', 'authz', 'meta'],
  kubelet: ['meta'],
  server: [
    'http',
    'kubelet',
    'virtual',
    'bootstrap',
    'pki',
    'controllers',
    'admission',
    'audit',
    'service-addresses',
    'extensions',
    'resources',
    'registry',
    'store',
    'storage',
    'codec',
    'authn',
    'authz',
    'client',
    'meta',
  ],
  cli: ['server', 'meta'],
};
const test = '(\\.(test|conformance)\\.ts$|/conformance/)';
const rooms = Object.keys(arrows);
const ofRoom = (names) => `^src/(${names.join('|')})/`;

module.exports = {
  // Read by scripts/check-arrows.ts, which also finds arrows that nobody uses.
  arrows,
  isTest: new RegExp(test),
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-room-without-arrows',
      comment: 'A new folder under src/ needs its arrows in this file.',
      severity: 'error',
      from: { path: `^src/(?!(${rooms.join('|')})/)[^/]+/` },
      to: {},
    },
    ...rooms.map((room) => ({
      name: `arrows-of-${room}`,
      severity: 'error',
      // A test may bring real parts of any room.
      from: { path: ofRoom([room]), pathNot: test },
      to: { path: '^src/', pathNot: ofRoom([room, ...arrows[room]]) },
    })),
    {
      name: 'product-without-tests',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: '(\\.(test|conformance)\\.ts$|^(test|bench|scripts)/)' },
    },
    {
      name: 'product-without-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};

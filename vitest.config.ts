import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { cacheFolder } from './scripts/output-folders.ts';
import { limitedPool } from './scripts/test-pool/limited-pool.ts';

/**
 * Files with a process of their own: they measure it, look at what it has open or at its defaults, or fill its memory.
 * The other files share processes, because a process takes about a second to start.
 */
const isolated = [
  'scripts/**/*.test.ts',
  'src/client/root-certificates.test.ts',
  'src/http/listener/drain.test.ts',
  'test/{faults,responsiveness}/**/*.test.ts',
  'test/process/{heap-growth,in-process}.test.ts',
  'test/codec/hostile.test.ts',
  'test/wire/encodings-malformed.test.ts',
  'test/wire/large-lists.test.ts',
];
/** What `npm run test:long` runs: the same as other tests with more of everything, in files of their own. */
const long = '{src,test}/**/*.long.test.ts';

/** With a rate, the wall clock of the tests and of what they start runs so many times faster. */
const clock =
  process.env.TEST_CLOCK_RATE === undefined
    ? {}
    : { NODE_OPTIONS: `--import=${import.meta.dirname}/test/clock/fast-clock.ts` };

const isLong = process.env.TEST_LONG !== undefined;

/** A file none of whose tests ends for so long is ended and reported. Only for what hangs: a busy machine may be slow. */
const silenceSeconds = Number(process.env.TEST_FILE_SECONDS ?? (isLong ? 1800 : 120));
const testTimeoutMs = silenceSeconds * 750;

/** Coverage (`npm test -- --coverage`) is measured per source file, so that the bundle cannot be used. */
const hasCoverage = process.argv.some((arg) => arg.startsWith('--coverage'));

const limits = {
  // Node loads the sources itself, from a bundle. That is several times as fast as transforming them.
  server: { deps: { external: [/\/src\/.*(?<!\.test|\.conformance)\.ts$/] } },
  pool: limitedPool({
    silenceTimeoutMs: silenceSeconds * 1000,
    stopTimeoutMs: 60_000,
    // A process costs about two seconds of processor time until it has loaded and compiled what most files use. With so
    // many files it grows to 700 MB.
    maxFilesPerProcess: 64,
  }),
  testTimeout: testTimeoutMs,
  hookTimeout: testTimeoutMs,
  expect: { poll: { timeout: silenceSeconds * 500 } },
  execArgv: hasCoverage ? [] : [`--import=${import.meta.dirname}/test/bundles/use-modules.ts`],
  setupFiles: [
    'test/own-directory.ts',
    'test/clock/restart-clock.ts',
    'test/wait-timeouts.ts',
    'test/property-seed.ts',
  ],
  // kubectl ends before it has to collect garbage.
  env: { ...clock, GOGC: 'off' },
};

export default defineConfig({
  cacheDir: join(cacheFolder, 'vitest'),
  test: {
    // Two cores: more files than cores, because many tests wait for other processes.
    maxWorkers: 4,
    teardownTimeout: 120_000,
    globalSetup: ['test/bundles/make-bundles.ts'],
    projects: [
      {
        test: {
          name: 'shared',
          ...limits,
          include: isLong ? [] : ['{console,src,test}/**/*.test.ts'],
          exclude: [long, ...isolated],
          isolate: false,
        },
      },
      {
        test: {
          name: 'isolated',
          ...limits,
          include: isLong ? [long] : isolated,
          exclude: isLong ? [] : [long],
        },
      },
    ],
  },
});

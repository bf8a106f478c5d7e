import { defineConfig } from 'vitest/config';
import { limitedPool } from './scripts/test-pool/limited-pool.ts';

/** Files that share processes: unit tests and wire tests. */
const shared = ['src/**/*.test.ts', 'test/wire/**/*.test.ts'];
/** Except those that measure the memory of their process or look at its connections. */
const isolated = ['encodings-malformed', 'large-lists'].map((name) => `test/wire/${name}.test.ts`);
isolated.push('src/http/listener/drain.test.ts');

/** With a rate, the wall clock of the tests and of what they start runs so many times faster. */
const clock =
  process.env.TEST_CLOCK_RATE === undefined
    ? {}
    : { env: { NODE_OPTIONS: `--import=${import.meta.dirname}/test/clock/fast-clock.ts` } };

/** `npm run test:long`: the same with more of everything, in files of their own. */
const isLong = process.env.TEST_LONG !== undefined;

/** A file that takes longer is ended and reported. */
const fileSeconds = Number(process.env.TEST_FILE_SECONDS ?? (isLong ? 1800 : 120));
/** Only for what hangs: a busy machine may be slow. */
const testTimeoutMs = fileSeconds * 750;

const limits = {
  // Node loads the sources itself, from a bundle. That is several times as fast as transforming them.
  server: { deps: { external: [/\/src\/.*(?<!\.test|\.conformance)\.ts$/] } },
  pool: limitedPool({
    fileTimeoutMs: fileSeconds * 1000,
    stopTimeoutMs: 30_000,
    // Few enough that a process does not grow, and that the files are evenly spread at the end.
    maxFilesPerProcess: 12,
  }),
  testTimeout: testTimeoutMs,
  hookTimeout: testTimeoutMs,
  expect: { poll: { timeout: 60_000 } },
  execArgv: [`--import=${import.meta.dirname}/test/bundles/use-modules.ts`],
  setupFiles: ['test/wait-timeouts.ts', 'test/property-seed.ts'],
  ...clock,
};

export default defineConfig({
  test: {
    // Two cores: one file more than cores, because many tests wait for other processes.
    maxWorkers: 3,
    teardownTimeout: 60_000,
    globalSetup: ['test/bundles/make-bundles.ts'],
    projects: [
      {
        test: {
          name: 'shared',
          ...limits,
          include: isLong ? [] : shared,
          exclude: ['**/*.long.test.ts', ...isolated],
          isolate: false,
        },
      },
      {
        test: {
          name: 'isolated',
          ...limits,
          include: isLong
            ? ['{src,test,scripts}/**/*.long.test.ts']
            : ['test/!(wire)/**/*.test.ts', 'scripts/**/*.test.ts', ...isolated],
          exclude: isLong ? [] : ['**/*.long.test.ts'],
        },
      },
    ],
  },
});

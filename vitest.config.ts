import { defineConfig } from 'vitest/config';

/**
 * Rooms whose tests open nothing and leave nothing behind: their files can share a process. Rooms with connections are not
 * among them: in one run a shared process was left with half of Node's TLS, and nobody knows why.
 */
const rooms = ['admission', 'merge', 'meta', 'resources', 'schema', 'store'].map((room) => `src/${room}/**/*.test.ts`);

/** Run by `npm run test:long` alone. */
const long = 'test/**/*.long.test.ts';

const limits = { pool: 'forks', testTimeout: 30_000, hookTimeout: 60_000 } as const;

export default defineConfig({
  test: {
    // Two cores: one file per core.
    maxWorkers: 2,
    projects:
      process.env['KEELSON_TESTS'] === 'long'
        ? [{ test: { name: 'long', ...limits, include: [long] } }]
        : [
            { test: { name: 'rooms', ...limits, include: rooms, isolate: false } },
            {
              test: {
                name: 'servers',
                ...limits,
                include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
                exclude: ['**/node_modules/**', long, ...rooms],
              },
            },
          ],
  },
});

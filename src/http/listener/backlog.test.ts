import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { listen } from './test-listener.conformance.ts';

const count = 900;
const somaxconn = '/proc/sys/net/core/somaxconn';
const clipsBacklog = process.platform !== 'linux' || Number(readFileSync(somaxconn, 'utf8')) < count;
const client = `
  const { connect } = require('node:net');
  let connected = 0;
  for (let i = 0; i < ${count}; i++) {
    connect(Number(process.argv[1]), '127.0.0.1', () => {
      if (++connected === ${count}) process.exit();
    });
  }`;

it.skipIf(clipsBacklog)(`${count} clients connect while the server is busy`, async () => {
  const listener = await listen(() => {});
  // This blocks the process, so that no connection is accepted. The system repeats what does not fit the backlog later.
  const { status, error } = spawnSync(process.execPath, ['-e', client, String(listener.port)], { timeout: 30_000 });
  expect(error).toBeUndefined();
  expect(status).toBe(0);
});

import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run } from '../existing-data/run-command.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

it('is on where only this machine can reach it, and prints links that sign in', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = ServeProcess.start(`--data-dir=${dataDir}`, '--controllers=');
  const api = await server.api();
  const printed = JSON.parse(server.stdout).console as string;
  const made = await run('console', `--data-dir=${dataDir}`);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [first, second] = [printed, made.stdout.trim()].map((link) => {
    expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/console\/#token=[\w-]{43}$/);
    return link.slice(link.indexOf('=') + 1);
  });
  const signIn = async (token: string | undefined): Promise<number> => {
    const headers = { 'x-keelson-console': 'sign-in' };
    return (await api.post('/console/session', { token }, { credentials: false, headers })).status;
  };
  // They are for the same user, though not by the same means: the newer one replaces the older one.
  expect([await signIn(first), await signIn(second), await signIn(second)]).toEqual([401, 200, 401]);
  // What the server prints later has no token.
  expect(server.stderr).not.toContain(second);
});

it('is off elsewhere', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = ServeProcess.start(`--data-dir=${dataDir}`, '--controllers=', '--bind-address=0.0.0.0');
  const api = await server.api();
  expect(JSON.parse(server.stdout).console).toBeUndefined();
  expect((await api.get('/console/')).status).toBe(404);
  expect((await api.get('/', { headers: { accept: 'text/html' } })).status).toBe(200);
  expect(await run('console', `--data-dir=${dataDir}`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('the server has no console (--console)'),
  });
});

import { request } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { run, runHere } from '../existing-data/run-command.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Returns the status of a response to a request without a client certificate. */
function statusOf(url: string, headers: Readonly<Record<string, string>> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sent.on('error', reject).end();
  });
}

it('is on for this machine only, and prints links that sign in', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = ServeProcess.start(`--data-dir=${dataDir}`, '--controllers=', '--bind-address=0.0.0.0');
  const api = await server.api();
  const printed = JSON.parse(server.stdout).console as string;
  const made = await run('console', `--data-dir=${dataDir}`);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  const [first, second] = [printed, made.stdout.trim()].map((link) => {
    expect(link).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/console\/#token=[\w-]{43}$/);
    return link.slice(link.indexOf('=') + 1);
  });
  const signIn = (token: string | undefined, others: Readonly<Record<string, string>> = {}) =>
    api.post(
      '/console/session',
      { token },
      { credentials: false, headers: { 'x-keelson-console': 'sign-in', ...others } },
    );
  // Requests through a proxy, or with a DNS name that is rebound to this machine, do not come from this machine.
  const strangers: Record<string, string>[] = [{ 'x-forwarded-for': '192.0.2.7' }, { host: 'attacker.example' }];
  for (const others of strangers) {
    expect((await signIn(second, others)).status).toBe(401);
    expect((await api.get('/console/', { headers: others })).status).toBe(404);
  }
  // Both tokens are for the same user, and the newer one replaces the older one.
  expect((await signIn(first)).status).toBe(401);
  const { status, headers, body } = await signIn(second);
  expect([status, (await signIn(second)).status]).toEqual([200, 401]);
  // Later output of the server contains no token.
  expect(server.stderr).not.toContain(second);
  const { port, origin } = new URL(printed);
  expect(await statusOf(`${origin}/console/`)).toBe(200);
  const session = { cookie: headers['set-cookie']![0]!.split(';')[0]!, 'x-keelson-console': body.proof };
  expect(await statusOf(`${origin}/api/v1/namespaces`, session)).toBe(200);
  const outer = Object.values(networkInterfaces())
    .flat()
    .find((found) => found?.family === 'IPv4' && !found.internal);
  if (outer === undefined) return;
  // Requests from other addresses are rejected, even with the session or with a host name of this machine.
  const elsewhere = `https://${outer.address}:${port}`;
  for (const host of [`${outer.address}:${port}`, `127.0.0.1:${port}`]) {
    expect(await statusOf(`${elsewhere}/console/`, { host })).toBe(401);
    expect(await statusOf(`${elsewhere}/console/session`, { host, ...session })).toBe(401);
    expect(await statusOf(`${elsewhere}/api/v1/namespaces`, { host, ...session })).toBe(401);
  }
});

it('can be disabled', async () => {
  const dataDir = join(await temporaryDirectory(), 'data');
  const server = ServeProcess.start(`--data-dir=${dataDir}`, '--controllers=', '--console=false');
  const api = await server.api();
  expect(JSON.parse(server.stdout).console).toBeUndefined();
  expect((await api.get('/console/')).status).toBe(404);
  expect((await api.get('/', { headers: { accept: 'text/html' } })).status).toBe(200);
  expect(await runHere('console', `--data-dir=${dataDir}`)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('the server does not serve the console (--console)'),
  });
});

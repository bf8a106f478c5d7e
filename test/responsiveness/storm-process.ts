/** A process that sends large lists and creates as one user without a pause, until the parent stops it. */
import { Agent, request } from 'node:https';
import type { StormOptions } from './storm.ts';

const { url, ca, cert, key, user, lists, creates } = JSON.parse(process.env.STORM!) as StormOptions;
const agent = new Agent({ ca, cert, key, keepAlive: true });
const headers = { 'impersonate-user': user, 'impersonate-group': 'dev' };
const responses: Record<string, number> = {};
let isOver = false;
let created = 0;

/** Reads responses without keeping them, so that memory does not limit the storm. */
function send(method: string, path: string, body = ''): Promise<number> {
  return new Promise((resolve) => {
    const type = body === '' ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    request(new URL(path, url), { agent, method, headers: { ...headers, ...type } }, (response) => {
      response.on('data', () => {});
      response.on('end', () => resolve(response.statusCode!));
      response.on('error', () => resolve(0));
    })
      .on('error', () => resolve(0))
      .end(body);
  });
}

async function loop(next: () => Promise<number>): Promise<void> {
  while (!isOver) {
    const status = await next();
    responses[status] = (responses[status] ?? 0) + 1;
  }
}

const list = (): Promise<number> => send('GET', '/api/v1/namespaces/crowd/configmaps');
const create = (): Promise<number> => {
  const object = { metadata: { name: `storm-${process.pid}-${created++}` }, data: { a: 'x'.repeat(500) } };
  return send('POST', '/api/v1/namespaces/default/configmaps', JSON.stringify(object));
};

process.once('message', () => {
  isOver = true;
});
// The parent has exited, because the test has failed.
process.once('disconnect', () => process.exit());
const running = [
  ...Array.from({ length: lists }, () => loop(list)),
  ...Array.from({ length: creates }, () => loop(create)),
];
process.send!('begun');
await Promise.all(running);
agent.destroy();
process.send!(responses);
process.disconnect();

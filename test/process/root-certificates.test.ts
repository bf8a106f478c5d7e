import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { configureWebhooks } from '../wire/webhook-configurations.ts';
import { WebhookServer } from '../wire/webhook-server.ts';
import { ServeProcess } from './serve-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** Starts a server that calls a webhook without naming the CA of its certificate. */
async function serverWithWebhook({ trusts }: { readonly trusts: boolean }) {
  const webhook = await WebhookServer.start();
  onTestFinished(() => webhook.stop());
  const directory = await temporaryDirectory();
  const authority = join(directory, 'ca.crt');
  await writeFile(authority, webhook.authority.cert);
  const flags = ['--bind-address=127.0.0.1', '--secure-port=0', '--output=json', `--data-dir=${directory}`];
  const prefix = ['env', trusts ? `NODE_EXTRA_CA_CERTS=${authority}` : 'NODE_EXTRA_CA_CERTS='];
  const api = await new ServeProcess(['serve', ...flags], { prefix }).api();
  const { url } = webhook.clientConfigFor('label', { key: 'seen' });
  await configureWebhooks(api, 'mutating', { webhooks: [{ clientConfig: { url } }] });
  return api;
}

const configMap = { metadata: { name: 'labelled' } };
const path = '/api/v1/namespaces/default/configmaps';

// A start does not read them, so the first connection that needs them must do it.
it('trusts the CAs of Node.js and its settings', async () => {
  const api = await serverWithWebhook({ trusts: true });
  const { body } = await api.post(path, configMap);
  expect(body).toMatchObject({ metadata: { name: 'labelled', labels: { seen: 'x' } } });
});

it('trusts no other CAs', async () => {
  const api = await serverWithWebhook({ trusts: false });
  const { status, text } = await api.post(path, configMap);
  expect(status).toBe(500);
  expect(text).toContain('x509: certificate signed by unknown authority');
});

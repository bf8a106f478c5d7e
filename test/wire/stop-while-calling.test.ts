import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { type ApiResponse, TestApi } from './api.ts';
import { createAuthority, issueServer } from './certificates.ts';
import { define, definitionOf, objectOf, pathOf } from './custom-types.ts';
import { fruits, untilCondition } from './extension-server.ts';
import { kubeconfigFor } from './kubeconfig-for.ts';
import { configMapRule, configurationsPath } from './webhook-configurations.ts';

/** Answers the discovery of an extension server. All other requests get no answer. */
async function startSilentServer() {
  const authority = await createAuthority('silent');
  const unanswered: string[] = [];
  const server = createServer(await issueServer(authority, '127.0.0.1'), ({ url = '' }, response) => {
    if (url === fruits)
      response.end('{"kind":"APIResourceList","groupVersion":"fruits.example.com/v1","resources":[]}');
    else unanswered.push(url.split('?')[0]!);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(authority.cert).toString('base64');
  const urlOf = (path: string): URL => new URL(path, `https://127.0.0.1:${port}`);
  return {
    port,
    unanswered,
    clientConfig: (path: string) => ({ url: urlOf(path).href, caBundle }),
    kubeconfig: (path: string) => kubeconfigFor({ url: urlOf(path), authority }),
  };
}

it('a server stops although the servers that it calls do not answer, and requests fail', async () => {
  const silent = await startSilentServer();
  const directory = await mkdtemp(join(tmpdir(), 'keelson-stop-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const kubeconfig = async (name: string): Promise<string> => {
    await writeFile(join(directory, name), silent.kubeconfig(`/${name}`));
    return join(directory, name);
  };
  const api = await TestApi.start({
    authenticationTokenWebhookConfigFile: await kubeconfig('authentication'),
    authorizationMode: ['RBAC', 'Webhook'],
    authorizationWebhookConfigFile: await kubeconfig('authorization'),
  });
  const path = await api.configMaps('held');
  const clientConfig = silent.clientConfig('/admission');
  const webhook = {
    name: 'hook.example.com',
    clientConfig,
    rules: [configMapRule],
    // The shutdown is no failure of the webhook.
    failurePolicy: 'Ignore',
    timeoutSeconds: 30,
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'held' } },
  };
  await api.post(configurationsPath('validating'), { metadata: { name: 'hook' }, webhooks: [webhook] });
  const definition = definitionOf({
    singular: 'widget',
    versions: ['v1', 'v2'],
    conversion: {
      strategy: 'Webhook',
      webhook: { clientConfig: silent.clientConfig('/conversion'), conversionReviewVersions: ['v1'] },
    },
  });
  await define(api, definition);
  await api.post('/api/v1/namespaces/default/services', {
    metadata: { name: 'fruits' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await api.post('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.fruits.example.com' },
    spec: {
      group: 'fruits.example.com',
      version: 'v1',
      groupPriorityMinimum: 2000,
      versionPriority: 15,
      service: { namespace: 'default', name: 'fruits', port: silent.port },
      insecureSkipTLSVerify: true,
    },
  });
  await untilCondition(api, 'True Passed: all checks passed');

  const waiting: readonly Promise<ApiResponse>[] = [
    api.post(path, { metadata: { name: 'a' } }),
    api.post(pathOf(definition, { version: 'v2' }), objectOf(definition, 'a', {}, 'v2')),
    api.get(`${fruits}/apples`),
    api.get('/api/v1/pods', { credentials: false, headers: { authorization: 'Bearer unknown' } }),
    api.get('/api/v1/pods', { headers: { 'impersonate-user': 'unknown' } }),
  ];
  const called = ['/admission', '/conversion', `${fruits}/apples`, '/authentication', '/authorization'];
  await vi.waitFor(() => expect(silent.unanswered).toEqual(expect.arrayContaining(called)));
  await api.server.stop();
  const stopping = { status: 503, body: { message: 'apiserver is shutting down' } };
  const canceled = { status: 503, text: 'error trying to reach service: context canceled\n' };
  expect(await Promise.all(waiting)).toMatchObject([stopping, stopping, canceled, { status: 401 }, stopping]);
});

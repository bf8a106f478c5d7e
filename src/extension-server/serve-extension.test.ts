import { describe, expect, it } from 'vitest';
import { startJsonServer } from '../client/test-json-server.conformance.ts';
import { type ExtensionOptions, serveExtension } from './index.ts';

const kubeconfig = JSON.stringify({
  'current-context': 'x',
  contexts: [{ name: 'x', context: { cluster: 'x' } }],
  clusters: [{ name: 'x', cluster: { server: 'https://127.0.0.1:1' } }],
});
const resource = { kind: 'Reading', plural: 'readings', backend: { list: () => [] } };
const options = { group: 'example.com', version: 'v1', resources: [resource], cluster: { kubeconfig } };

describe('invalid options', () => {
  it.each<[string, Partial<ExtensionOptions>, string | RegExp]>([
    ['no resources', { resources: [] }, 'resources: at least one is required'],
    ['a group without a dot', { group: 'example' }, 'should be a domain with at least one dot'],
    ['a version that is no label', { version: 'V 1' }, /resource readings: .*spec\.versions\[0\]\.name/],
    ['a plural with capitals', { resources: [{ ...resource, plural: 'Readings' }] }, /resource Readings: .*plural/],
    [
      'two resources of one name',
      { resources: [resource, { ...resource, kind: 'X' }] },
      'two resources have the plural',
    ],
    [
      'two resources of one kind',
      { resources: [resource, { ...resource, plural: 'x' }] },
      'two resources have the kind',
    ],
    [
      'a schema that is not structural',
      { resources: [{ ...resource, schema: { type: 'object', properties: { a: {} } } }] },
      'type: Required value: must not be empty for specified object fields',
    ],
    [
      'a column without a path',
      { resources: [{ ...resource, columns: [{ name: 'A', type: 'string', jsonPath: '' }] }] },
      'additionalPrinterColumns[0].JSONPath: Required value',
    ],
    ['no time for requests', { requestTimeoutMs: 0 }, 'requestTimeoutMs must be positive'],
    ['half a request', { maxRequestsInFlight: 0.5 }, 'maxRequestsInFlight must be a number of requests'],
    ['two kubeconfigs', { cluster: { kubeconfig, kubeconfigFile: 'x' } }, 'are mutually exclusive'],
    ['a kubeconfig that is none', { cluster: { kubeconfig: 'x' } }, 'kubeconfig of the option cluster.kubeconfig: '],
    ['no kubeconfig outside of a pod', { cluster: {} }, 'the program must run in a pod'],
  ])('are refused: %s', async (_what, given, message) => {
    const started = serveExtension({ ...options, ...given });
    await expect(started).rejects.toThrow(message);
    await expect(started).rejects.toBeInstanceOf(RangeError);
  });
});

describe('a cluster', () => {
  it('is reported if it cannot be reached', async () => {
    await expect(serveExtension(options)).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:1');
  });

  it('is reported if it publishes no trust', async () => {
    const status = { kind: 'Status', message: 'configmaps "extension-apiserver-authentication" not found', code: 404 };
    const respond = (response: import('node:http').ServerResponse): void => {
      response.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify(status));
    };
    const { url, authority } = await startJsonServer({ responses: [respond] });
    const cluster = {
      kubeconfig: JSON.stringify({
        'current-context': 'x',
        contexts: [{ name: 'x', context: { cluster: 'x' } }],
        clusters: [
          {
            name: 'x',
            cluster: {
              server: url.href,
              'certificate-authority-data': Buffer.from(authority.cert).toString('base64'),
            },
          },
        ],
      }),
    };
    await expect(serveExtension({ ...options, cluster })).rejects.toThrow(
      'the trusted CAs cannot be read from the config map kube-system/extension-apiserver-authentication: configmaps',
    );
  });
});

import { expect, it } from 'vitest';
import { InMemoryExchange } from '../http/discovery/in-memory-exchange.ts';
import { ObjectFormats } from '../http/object-formats.ts';
import { RequestContext } from '../http/request-context.ts';
import { requestInfo } from '../http/request-info.ts';
import { workOf } from './work-estimate.ts';

const pods = '/api/v1/namespaces/a/pods';
const mebibytes = (count: number) => ({ 'content-length': String(count * 1024 * 1024) });
const formats = new ObjectFormats(['json']);

it.each<[request: string, seats: number, isWide: boolean, headers?: Record<string, string>]>([
  [`GET ${pods}/p`, 1, false],
  ['GET /version', 1, false],
  ['GET /api/v1/nodes', 1, false],
  ['GET /apis/example.com/v1/unknown', 1, false],
  ['GET /api/v1/secrets', 6, true],
  ['GET /api/v1/secrets?limit=4', 2, true],
  [`GET ${pods}`, 6, true],
  [`GET ${pods}?limit=100`, 1, false],
  [`GET ${pods}?limit=150`, 2, true],
  [`GET ${pods}?limit=1&labelSelector=a`, 6, true],
  [`GET ${pods}?fieldSelector=spec.nodeName%3Dn`, 6, true],
  [`GET ${pods}?fieldSelector=metadata.name%3Dp`, 1, false],
  [`GET ${pods}?fieldSelector=metadata.name%21%3Dp`, 6, true],
  ['GET /api/v1/pods', 10, true],
  [`GET ${pods}?watch=1&resourceVersion=5`, 1, false],
  [`GET ${pods}?watch=1`, 6, true],
  [`GET ${pods}?watch=1&resourceVersion=5&sendInitialEvents=true`, 6, true],
  [`DELETE ${pods}`, 6, true],
  [`DELETE ${pods}/p`, 3, false],
  [`POST ${pods}`, 3, false],
  [`POST ${pods}`, 4, false, mebibytes(3.5)],
  ['POST /api/v1/nodes', 1, false, mebibytes(0.5)],
  ['POST /api/v1/nodes', 2, false, mebibytes(1.5)],
  ['POST /api/v1/nodes', 1, false, { 'content-length': 'x' }],
])('%s takes %d seats', (request, seats, isWide, headers = {}) => {
  const [method = '', url = ''] = request.split(' ');
  const exchange = new InMemoryExchange(url, { method, headers });
  const context = new RequestContext(exchange, requestInfo(method, exchange.path, exchange.query), formats);
  const findLoad = ({ resource, namespace }: { resource: string; namespace: string }) => {
    if (resource === 'unknown') return undefined;
    if (resource === 'secrets') return { objects: 12, watches: 0, meanBytes: 512 * 1024 };
    if (resource === 'pods') return { objects: namespace === '' ? 5000 : 600, watches: 500, meanBytes: 3000 };
    return { objects: 3, watches: 2, meanBytes: 2000 };
  };
  expect(workOf(context, findLoad, 10)).toEqual({ seats, isWide });
  expect(workOf(context, findLoad, 1).seats).toBe(1);
});

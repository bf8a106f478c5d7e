import type { ServerResponse } from 'node:http';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  endless,
  failing,
  type JsonServer,
  startJsonServer,
  type TestResponse,
} from '../../client/test-json-server.conformance.ts';
import { WebhookClients } from '../../client/webhook/index.ts';
import type { ResourceObject } from '../../meta/object.ts';
import type { StatusError } from '../../meta/status-error.ts';
import type { VersionConverter } from '../../registry/resource-definition.ts';
import { type WebhookConversion, webhookConverter } from './webhook-converter.ts';

interface Request {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly ResourceObject[];
}

/** Returns the review to answer with. Undefined when it has written the response. */
type Respond = (request: Request, response: ServerResponse) => object | undefined;

const target = 'ex.io/v2';
const gvk = 'ex.io/v1, Kind=Widget';

function widget(name: string, more: Partial<ResourceObject> = {}): ResourceObject {
  const metadata = { name, namespace: 'ns', uid: `uid-${name}` };
  return { apiVersion: 'ex.io/v1', kind: 'Widget', metadata, spec: { size: 1 }, ...more };
}

function upgraded(object: ResourceObject): ResourceObject {
  return { ...object, apiVersion: target, spec: { large: true } };
}

function review(response: object | undefined, version = 'v1'): object {
  return { kind: 'ConversionReview', apiVersion: `apiextensions.k8s.io/${version}`, response };
}

function success({ uid }: Request, objects: readonly unknown[]): object {
  return review({ uid, convertedObjects: objects, result: { status: 'Success' } });
}

const honest: Respond = (request) => success(request, request.objects.map(upgraded));

/** Converts the objects, and then changes the first one. */
function changing(change: object | ((object: ResourceObject) => unknown)): Respond {
  return (request) => {
    const [first, ...rest] = request.objects.map(upgraded);
    return success(request, [typeof change === 'function' ? change(first!) : { ...first, ...change }, ...rest]);
  };
}

interface Webhook {
  readonly server: JsonServer;
  readonly converter: VersionConverter;
  readonly requests: () => Request[];
}

async function startWebhook(respond: Respond, options: Partial<WebhookConversion> = {}): Promise<Webhook> {
  const requests = (): Request[] => server.seen.map(({ body }) => (body as { request: Request }).request);
  const testResponse: TestResponse = (response) => {
    const value = respond(requests().at(-1)!, response);
    if (value !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  };
  const server = await startJsonServer({ responses: [testResponse] });
  return { server, converter: converterFor(server, options), requests };
}

function converterFor(server: JsonServer, options: Partial<WebhookConversion> = {}): VersionConverter {
  const resolve = (): never => {
    throw new Error('there are no services');
  };
  const clients = new WebhookClients({ services: { resolve } });
  onTestFinished(() => clients.close());
  const caBundle = Buffer.from(server.authority.cert).toString('base64');
  const clientConfig = { url: `${server.url.origin}/convert`, caBundle };
  return webhookConverter({ clientConfig, conversionReviewVersions: ['v1'], clients, ...options });
}

async function failureOf(converted: unknown): Promise<string> {
  try {
    await converted;
  } catch (error) {
    const { code, reason, message } = (error as StatusError).status;
    expect([code, reason]).toEqual([500, undefined]);
    return message!;
  }
  throw new Error('the objects were converted');
}

describe('webhookConverter', () => {
  it('sends the objects of other versions in a review', async () => {
    const { server, converter } = await startWebhook(honest);
    const [first, current, last] = [widget('a'), widget('b', { apiVersion: target }), widget('c')];
    const converted = await converter.convert([first, current, last], target);
    expect(converted).toEqual([upgraded(first), current, upgraded(last)]);
    expect(converted[1]).toBe(current);
    expect(server.seen).toMatchObject([{ url: '/convert?timeout=30s' }]);
    expect(server.seen[0]!.body).toEqual({
      kind: 'ConversionReview',
      apiVersion: 'apiextensions.k8s.io/v1',
      request: { uid: expect.stringMatching(/^[0-9a-f-]{36}$/), desiredAPIVersion: target, objects: [first, last] },
      response: { uid: '', convertedObjects: null, result: { metadata: {} } },
    });
  });

  it('does not call for objects that have the version, and returns synchronously', async () => {
    const { server, converter } = await startWebhook(honest);
    const current = widget('a', { apiVersion: target });
    expect(converter.convert([current], target)).toEqual([current]);
    expect(converter.convert([], target)).toEqual([]);
    expect(server.seen).toEqual([]);
  });

  it('takes labels and annotations from the webhook, and all other metadata from the object', async () => {
    const metadata = {
      ...widget('a').metadata,
      generation: 3,
      labels: { kept: 'x' },
      annotations: { dropped: 'y' },
      finalizers: ['ex.io/f'],
    };
    const lie = { ...metadata, generation: 9, labels: { kept: 'x', new: 'z' }, annotations: null, finalizers: [] };
    const original = widget('a', { metadata });
    const { converter } = await startWebhook(changing({ metadata: lie }));
    const { annotations, ...rest } = metadata;
    expect(await converter.convert([original], target)).toEqual([
      { ...upgraded(original), metadata: { ...rest, labels: { kept: 'x', new: 'z' } } },
    ]);
    expect(original.metadata).toEqual({ ...rest, annotations });
  });

  it('accepts invalid labels that the object has already', async () => {
    const original = widget('a', { metadata: { ...widget('a').metadata, labels: { 'not valid': 'x' } } });
    const { converter } = await startWebhook(honest);
    expect(await converter.convert([original], target)).toEqual([upgraded(original)]);
  });

  it('keeps large integers in both directions', async () => {
    const spec = { size: 9007199254740993n };
    const { converter } = await startWebhook((request, response) => {
      const text = JSON.stringify(
        success(
          request,
          request.objects.map((object) => ({ ...object, apiVersion: target })),
        ),
      );
      // The server of the test parses numbers as JavaScript does.
      response.end(text.replace('"size":9007199254740992', '"size":9007199254740993'));
      return undefined;
    });
    expect(await converter.convert([widget('a', { spec })], target)).toMatchObject([{ spec }]);
  });

  it.each([
    [['v1', 'v1beta1'], 'v1'],
    [['v9', 'v1beta1', 'v1'], 'v1beta1'],
  ])('uses the first review version that it knows: %j', async (conversionReviewVersions, version) => {
    const { server, converter } = await startWebhook(honest, { conversionReviewVersions });
    await converter.convert([widget('a')], target);
    expect(server.seen[0]!.body).toMatchObject({ apiVersion: `apiextensions.k8s.io/${version}` });
  });

  it('does not check the type and the uid of a v1beta1 review', async () => {
    const respond: Respond = ({ objects }) => ({
      response: { convertedObjects: objects.map(upgraded), result: { status: 'Success' } },
    });
    const { converter } = await startWebhook(respond, { conversionReviewVersions: ['v1beta1'] });
    expect(await converter.convert([widget('a')], target)).toEqual([upgraded(widget('a'))]);
  });

  it('fails without a review version that it knows', async () => {
    const { converter } = await startWebhook(honest, { conversionReviewVersions: ['v9'] });
    expect(() => converter.convert([widget('a')], target)).toThrow('no supported conversion review versions');
  });
});

describe('a review with a mistake', () => {
  const failed =
    (result: object): Respond =>
    (request) =>
      review({ uid: request.uid, result });

  it.each<[name: string, respond: Respond, problem: string]>([
    [
      'no type',
      () => ({ response: {} }),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got /, Kind=',
    ],
    [
      'another version',
      () => review({}, 'v1beta1'),
      'failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1beta1, Kind=ConversionReview',
    ],
    ['no response', () => review(undefined), 'failed: no response provided'],
    [
      'a response of a wrong type',
      () => ({ ...review({}), response: [] }),
      'failed: json: cannot unmarshal array into Go struct field ConversionReview.response of type object',
    ],
    ['another uid', () => review({ uid: 'x' }), 'failed: expected response.uid="UID", got "x"'],
    ['no result', failed({}), "failed: response.result.status was '', not 'Success'"],
    ['a failure', failed({ status: 'Failure' }), "failed: response.result.status was 'Failure', not 'Success'"],
    ['a failure with a message', failed({ status: 'Failure', message: 'too old' }), 'failed: too old'],
    ['no objects', failed({ status: 'Success' }), 'returned 0 objects, expected 1'],
    ['too many objects', (request) => success(request, [1, 2]), 'returned 2 objects, expected 1'],
    [
      'another version of the object',
      changing({ apiVersion: 'ex.io/v3' }),
      'returned invalid object at index 0: invalid groupVersion (expected ex.io/v2, received ex.io/v3)',
    ],
    [
      'another kind of object',
      changing({ kind: 'Gadget' }),
      'returned invalid object at index 0: invalid kind (expected Widget, received Gadget)',
    ],
    [
      'another name',
      changing({ metadata: { ...widget('a').metadata, name: 'b' } }),
      'returned invalid object: must have the same name: a != b',
    ],
    [
      'another namespace',
      changing({ metadata: { ...widget('a').metadata, namespace: 5 } }),
      'returned invalid object: must have the same namespace: ns != ',
    ],
    [
      'another UID',
      changing({ metadata: { ...widget('a').metadata, uid: 'x' } }),
      'returned invalid object: must have the same UID: uid-a != x',
    ],
    ['no metadata', changing({ metadata: null }), 'returned invalid object: must have the same name: a != '],
    [
      'labels of a wrong type',
      changing({ metadata: { ...widget('a').metadata, labels: [] } }),
      'returned invalid metadata: invalid metadata.labels of type []interface {} in converted object',
    ],
    [
      'a label of a wrong type',
      changing({ metadata: { ...widget('a').metadata, labels: { a: 1 } } }),
      'returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object',
    ],
    [
      'an invalid annotation',
      changing({ metadata: { ...widget('a').metadata, annotations: { 'a/b/c': '' } } }),
      'returned invalid metadata: metadata.annotation: Invalid value: "a/b/c": a valid',
    ],
  ])('%s', async (_name, respond, problem) => {
    const { converter, requests } = await startWebhook(respond);
    const message = await failureOf(converter.convert([widget('a')], target));
    expect(message).toContain(`conversion webhook for ${gvk} ${problem.replace('UID"', `${requests()[0]!.uid}"`)}`);
    expect(requests()).toHaveLength(1);
  });

  it.each<[name: string, value: unknown, problem: string]>([
    ['null', null, 'unexpected end of JSON input'],
    ['a string', 'x', 'json: cannot unmarshal string into Go value of type map[string]interface {}'],
    ['an object without a kind', { a: 1 }, `Object 'Kind' is missing in '{"a":1}'`],
  ])('%s instead of an object', async (_name, value, problem) => {
    const { converter } = await startWebhook((request) => success(request, [value]));
    expect(await failureOf(converter.convert([widget('a')], target))).toBe(problem);
  });

  it('names the position in a list', async () => {
    const lie = (changes: object): Respond => {
      return (request) => {
        const [first, second] = request.objects.map(upgraded);
        return success(request, [first, { ...second, ...changes }]);
      };
    };
    const objects = [widget('current', { apiVersion: target }), widget('a'), widget('b')];
    const { converter } = await startWebhook(lie({ kind: 'Gadget' }));
    expect(await failureOf(converter.convert(objects, target))).toBe(
      `conversion webhook for ${gvk} returned invalid converted object at index 1: invalid kind (expected Widget, received Gadget)`,
    );
    const other = await startWebhook(lie({ metadata: { ...widget('b').metadata, labels: '' } }));
    expect(await failureOf(other.converter.convert(objects, target))).toBe(
      `conversion webhook for ${gvk} returned invalid metadata in object at index 1: invalid metadata.labels of type string in converted object`,
    );
  });
});

describe('a webhook with a fault', () => {
  const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', message: 'out of order' };

  it.each<[name: string, response: TestResponse, problem: string]>([
    ['closes the connection', (response) => response.destroy(), 'Post "URL": EOF'],
    ['never ends its answer', endless, 'Post "URL": the response is larger than 3145728 bytes'],
    [
      'redirects',
      failing(302, { location: '/other' }),
      'the server responded with the status code 302 but did not return more information',
    ],
    [
      'sends half an answer',
      (response) => response.end('{"kind":'),
      "couldn't get version/kind; json parse error: unexpected end of JSON input",
    ],
    [
      'sends very many values',
      (response) => response.end(`[${'1,'.repeat(200_000)}1]`),
      "couldn't get version/kind; json parse error: the document has more than 150000 values",
    ],
    ['sends a Status', (response) => response.writeHead(500).end(JSON.stringify(status)), 'out of order'],
  ])('%s', async (_name, response, problem) => {
    const server = await startJsonServer({ responses: [response] });
    const message = await failureOf(converterFor(server).convert([widget('a')], target));
    const text = problem.replace('URL', `${server.url.origin}/convert?timeout=30s`);
    expect(message).toBe(`conversion webhook for ${gvk} failed: ${text}`);
    expect(server.seen).toHaveLength(1);
  });

  it('does not answer, which no caller waits for twice', async () => {
    const { server, converter } = await startWebhook(() => undefined, { timeoutMs: 100 });
    const failures = await Promise.all(['a', 'b'].map((name) => failureOf(converter.convert([widget(name)], target))));
    const url = `${server.url.origin}/convert?timeout=1s`;
    const message = `conversion webhook for ${gvk} failed: Post "${url}": context deadline exceeded`;
    expect(failures).toEqual([message, message]);
    expect(server.seen.length).toBeLessThan(2);
  });

  it('has another content type, which is no fault', async () => {
    const { converter } = await startWebhook((request, response) => {
      response.setHeader('content-type', 'text/plain').end(JSON.stringify(honest(request, response)));
      return undefined;
    });
    expect(await converter.convert([widget('a')], target)).toEqual([upgraded(widget('a'))]);
  });

  it('works again afterwards', async () => {
    let isBroken = true;
    const { converter } = await startWebhook((request, response) => {
      if (!isBroken) return honest(request, response);
      response.destroy();
      return undefined;
    });
    await failureOf(converter.convert([widget('a')], target));
    isBroken = false;
    expect(await converter.convert([widget('a')], target)).toEqual([upgraded(widget('a'))]);
  });
});

describe('calls', () => {
  it('are shared by conversions of the same moment to the same version', async () => {
    const respond: Respond = (request) =>
      success(
        request,
        request.objects.map((object) => ({ ...object, apiVersion: request.desiredAPIVersion })),
      );
    const { converter, requests } = await startWebhook(respond);
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const [one, two, other] = await Promise.all([
      converter.convert([widget('a')], target),
      converter.convert([widget('b'), widget('c')], target),
      converter.convert([widget('d')], 'ex.io/v3'),
    ]);
    expect([one, two, other].map((objects) => objects.map(({ metadata }) => metadata.name))).toEqual([
      ['a'],
      ['b', 'c'],
      ['d'],
    ]);
    expect(other[0]!.apiVersion).toBe('ex.io/v3');
    expect(
      requests()
        .map(({ objects }) => objects.length)
        .sort(),
    ).toEqual([1, 3]);
  });

  it('fail only for the caller whose object the webhook refuses', async () => {
    const { converter } = await startWebhook((request, response) => {
      const isBad = request.objects.some(({ metadata }) => metadata.name === 'bad');
      return isBad
        ? review({ uid: request.uid, result: { status: 'Failure', message: 'bad object' } })
        : honest(request, response);
    });
    const names = ['a', 'b', 'bad', 'c', 'd'];
    const settled = await Promise.allSettled(names.map((name) => converter.convert([widget(name)], target)));
    expect(settled.map((result) => result.status)).toEqual(
      names.map((name) => (name === 'bad' ? 'rejected' : 'fulfilled')),
    );
    expect(settled[2]).toMatchObject({ reason: { message: `conversion webhook for ${gvk} failed: bad object` } });
    expect(settled[3]).toEqual({ status: 'fulfilled', value: [upgraded(widget('c'))] });
  });

  it('fail only for the caller whose object was changed', async () => {
    const { converter, requests } = await startWebhook(changing({ kind: 'Gadget' }));
    const [bad, good] = await Promise.allSettled([
      converter.convert([widget('a')], target),
      converter.convert([widget('b')], target),
    ]);
    expect([bad!.status, good!.status]).toEqual(['rejected', 'fulfilled']);
    expect(requests()).toHaveLength(1);
  });

  it('have at most 1000 objects and 1 MiB', async () => {
    const { converter, requests } = await startWebhook(honest);
    const many = Array.from({ length: 2001 }, (_, index) => widget(`w-${index}`));
    expect(await converter.convert(many, target)).toEqual(many.map(upgraded));
    const large = ['a', 'b', 'c'].map((name) => widget(name, { data: 'x'.repeat(450 * 1024) }));
    const huge = widget('huge', { data: 'x'.repeat(1.5 * 1024 * 1024) });
    expect(await converter.convert([...large, huge], target)).toEqual([...large, huge].map(upgraded));
    const counts = requests().map(({ objects }) => objects.length);
    expect(counts).toEqual([1000, 1000, 1, 2, 1, 1]);
  });

  it('are not joined above these limits if their callers differ', async () => {
    const { converter, requests } = await startWebhook(honest);
    const lists = [600, 400, 1].map((length, list) => {
      return Array.from({ length }, (_, index) => widget(`w-${list}-${index}`));
    });
    const converted = await Promise.all(lists.map((objects) => converter.convert(objects, target)));
    expect(converted).toEqual(lists.map((objects) => objects.map(upgraded)));
    const total = requests().map(({ objects }) => objects.length);
    expect(Math.max(...total)).toBeLessThanOrEqual(1000);
    expect(total.reduce((sum, count) => sum + count)).toBe(1001);
  });

  it('convert all objects of a list or none', async () => {
    let calls = 0;
    const { converter } = await startWebhook((request, response) => {
      return ++calls === 2 ? review({ uid: request.uid, result: { message: 'tired' } }) : honest(request, response);
    });
    const many = Array.from({ length: 1500 }, (_, index) => widget(`w-${index}`));
    expect(await failureOf(converter.convert(many, target))).toBe(`conversion webhook for ${gvk} failed: tired`);
    expect(many.every(({ apiVersion }) => apiVersion === 'ex.io/v1')).toBe(true);
  });
});

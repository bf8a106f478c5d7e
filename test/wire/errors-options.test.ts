import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestApi } from './api.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const item = `${configMaps}/present`;

let api: TestApi;
beforeAll(async () => {
  api = await TestApi.start();
  await api.post(configMaps, { metadata: { name: 'present' } });
});
afterAll(() => api.stop());

const dryRunText = (kind: string) =>
  `${kind}.meta.k8s.io "" is invalid: dryRun: Unsupported value: ["x"]: supported values: "All"`;

describe('options of a write', () => {
  it.each([
    ['POST', configMaps, 'CreateOptions'],
    ['PUT', item, 'UpdateOptions'],
    ['PATCH', item, 'PatchOptions'],
    ['DELETE', item, 'DeleteOptions'],
    ['DELETE', configMaps, 'DeleteOptions'],
  ])('are checked for %s %s: dryRun', async (method, path, kind) => {
    const body = method === 'DELETE' ? undefined : { metadata: { name: 'present' } };
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const { status, body: response } = await api.call(method, `${path}?dryRun=x`, {
      body,
      headers: { 'content-type': type },
    });
    expect(status).toBe(400);
    expect(response).toMatchObject({ reason: 'BadRequest', message: dryRunText(kind) });
    expect((await api.get(item)).status).toBe(200);
  });

  it('are checked together', async () => {
    const query = `dryRun=x&fieldValidation=Loose&fieldManager=${'x'.repeat(129)}`;
    const { status, body } = await api.post(`${configMaps}?${query}`, { metadata: { name: 'never' } });
    expect(status).toBe(400);
    expect(body.message).toBe(
      'CreateOptions.meta.k8s.io "" is invalid: [fieldManager: Too long: may not be more than 128 bytes, ' +
        'dryRun: Unsupported value: ["x"]: supported values: "All", ' +
        'fieldValidation: Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"]',
    );
  });

  it.each([
    [
      'fieldValidation=Loose',
      'fieldValidation',
      'Unsupported value: "Loose": supported values: "", "Ignore", "Strict", "Warn"',
      'FieldValueNotSupported',
    ],
    [
      `fieldManager=${'x'.repeat(129)}`,
      'fieldManager',
      'Too long: may not be more than 128 bytes',
      'FieldValueTooLong',
    ],
    [
      'fieldManager=a%09b',
      'fieldManager',
      'Invalid value: "a\\tb": invalid character U+0009 (at position 1)',
      'FieldValueInvalid',
    ],
  ])('are checked: %s', async (query, field, message, reason) => {
    const { status, body } = await api.post(`${configMaps}?${query}`, { metadata: { name: 'never' } });
    expect(status).toBe(422);
    expect(body).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `CreateOptions.meta.k8s.io "" is invalid: ${field}: ${message}`,
      reason: 'Invalid',
      details: { group: 'meta.k8s.io', kind: 'CreateOptions', causes: [{ reason, message, field }] },
      code: 422,
    });
  });

  it('are ignored when they are empty', async () => {
    for (const query of ['dryRun', 'dryRun=', 'dryRun=&fieldValidation=&fieldManager=', 'gadget=1']) {
      const { status, body } = await api.put(`${item}?${query}`, { metadata: { name: 'present' }, data: { query } });
      expect(status).toBe(200);
      expect((await api.get(item)).body).toEqual(body);
    }
  });

  it('cannot force anything but an apply', async () => {
    const { status, body } = await api.patch(`${item}?force=false`, {});
    expect(status).toBe(422);
    expect(body.message).toBe(
      'PatchOptions.meta.k8s.io "" is invalid: force: Forbidden: may not be specified for non-apply patch',
    );
  });
});

describe('options of a delete', () => {
  it.each([
    ['?gracePeriodSeconds=abc', undefined, 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['?gracePeriodSeconds=', undefined, 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    [
      '?propagationPolicy=Sideways',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Sideways": supported values: "Foreground", "Background", "Orphan", "nil"',
    ],
    [
      '?propagationPolicy=Orphan&orphanDependents=true',
      undefined,
      422,
      'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
    ],
    ['', { dryRun: ['x'] }, 400, dryRunText('DeleteOptions')],
    [
      '',
      { gracePeriodSeconds: 'soon' },
      400,
      'cannot unmarshal string into Go struct field DeleteOptions.gracePeriodSeconds',
    ],
    ['', { preconditions: 7 }, 400, 'cannot unmarshal number into Go struct field DeleteOptions.preconditions'],
    ['', { preconditions: { uid: 7 } }, 400, 'cannot unmarshal number'],
    ['', '{', 400, 'unexpected end of JSON input'],
    ['', '[]', 400, ''],
    ['', '"x"', 400, ''],
    ['', 'null', 400, ''],
  ])('are checked: %s %j', async (query, body, code, message) => {
    const response = await api.delete(`${item}${query}`, { body });
    expect({ status: response.status, body: response.body }).toMatchObject({ status: code, body: { code } });
    expect(response.body.message).toContain(message);
    expect((await api.get(item)).status).toBe(200);
  });
});

describe('options of a list', () => {
  const unparsable = 'unable to parse requirement: ';
  it.each([
    ['timeoutSeconds=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=', 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=1.5', 'strconv.ParseInt: parsing "1.5": invalid syntax'],
    ['limit=9223372036854775808', 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['limit=-9223372036854775809', 'strconv.ParseInt: parsing "-9223372036854775809": value out of range'],
    ['watch=0&allowWatchBookmarks=x', 'allowWatchBookmarks: Invalid value: "x": must be true or false'],
    ['sendInitialEvents=x', 'sendInitialEvents: Invalid value: "x": must be true or false'],
    ['watch=no', 'watch: Invalid value: "no": must be true or false'],
    ['pretty=yes', 'pretty: Invalid value: "yes": must be true or false'],
    [
      'resourceVersion=00&resourceVersionMatch=Exact',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    ['limit=99999999999999999999', 'strconv.ParseInt: parsing "99999999999999999999": value out of range'],
    ['timeout=x', 'invalid timeout specified in the request URL - time: invalid duration "x"'],
    ['timeout=5', 'invalid timeout specified in the request URL - time: missing unit in duration "5"'],
    [
      'resourceVersion=abc',
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    [
      'resourceVersion=-1',
      'invalid resource version: resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    ],
    [
      'resourceVersion=0&resourceVersionMatch=Exact',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
    ],
    [
      'resourceVersion=1&resourceVersionMatch=Roughly',
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Roughly": supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'sendInitialEvents=true',
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
    ['labelSelector=,', "found ',', expected: !, identifier, or 'end of string'"],
    ['labelSelector=a%20in%20b', `${unparsable}found 'b' expected: '('`],
    ['labelSelector=-a', `${unparsable}`],
    [
      'labelSelector=k%3D-x',
      `${unparsable}values[0][k]: Invalid value: "-x": a valid label must be an empty string or consist of`,
    ],
    ['labelSelector=k%3Ex', `${unparsable}`],
    ['fieldSelector=name', "invalid selector: 'name'; can't understand 'name'"],
    ['fieldSelector=metadata.name%3D%5Cb', 'invalid field selector: invalid escape sequence: \\b'],
    ['continue=e30&resourceVersion=5', 'specifying resource version is not allowed when using continue'],
    [
      'continue=e30',
      'invalid continue token: continue key is not valid: server does not recognize this encoded version ',
    ],
  ])('are checked: %s', async (query, message) => {
    const { status, body } = await api.get(`${configMaps}?${query}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ kind: 'Status', reason: 'BadRequest', code: 400 });
    expect(body.message).toContain(message);
  });

  it('select by what the type knows', async () => {
    const pods = await api.get('/api/v1/pods?fieldSelector=spec.colour%3Dred');
    expect(pods.body.message).toBe('field label not supported: spec.colour');
    const jobs = await api.get('/apis/batch/v1/jobs?fieldSelector=spec.colour%3Dred');
    expect(jobs.body.message).toBe('field label "spec.colour" not supported for Job');
  });

  it('are checked before a collection is deleted', async () => {
    const queries = ['labelSelector=,', 'fieldSelector=x', 'limit=x', 'resourceVersion=x', 'continue=x'];
    for (const query of [...queries, 'orphanDependents=x', 'gracePeriodSeconds=1.5', 'watch=x']) {
      expect((await api.delete(`${configMaps}?${query}`)).status).toBe(400);
    }
    expect((await api.get(item)).status).toBe(200);
  });
});

describe('options of a watch', () => {
  it.each([
    ['resourceVersion=abc', 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax'],
    ['allowWatchBookmarks=yes', 'allowWatchBookmarks: Invalid value: "yes": must be true or false'],
    ['sendInitialEvents=2', 'sendInitialEvents: Invalid value: "2": must be true or false'],
    ['resourceVersion=00&continue=x', 'resourceVersionMatch is forbidden when continue is provided'],
    ['timeoutSeconds=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['limit=x', 'strconv.ParseInt: parsing "x": invalid syntax'],
    [
      'resourceVersionMatch=NotOlderThan',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
    [
      'sendInitialEvents=true',
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    ],
    [
      'sendInitialEvents=true&resourceVersionMatch=Exact',
      'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
    ],
    ['labelSelector=,', "found ',', expected: !, identifier, or 'end of string'"],
    ['fieldSelector=data.x%3D1', '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"'],
  ])('are checked before it begins: %s', async (query, message) => {
    const { status, body } = await api.get(`${configMaps}?watch=1&${query}`);
    expect(status).toBe(400);
    expect(body.message).toContain(message);
  });
});

describe('a yes or no in a query', () => {
  it.each(['1', 'true', 'TRUE', 'True', ''])('yes is %j', async (value) => {
    expect((await api.get(`${item}?export=${value}`)).body.message).toMatch('the export parameter');
  });

  it.each(['0', 'false', 'FALSE', 'False'])('no is %j', async (value) => {
    expect((await api.get(`${item}?export=${value}`)).status).toBe(200);
  });

  it.each(['t', 'f', 'yes', 'no', '2', ' true'])('%j is neither', async (value) => {
    const { status, body } = await api.get(`${item}?export=${encodeURIComponent(value)}`);
    expect(status).toBe(400);
    expect(body.message).toBe(`export: Invalid value: "${value}": must be true or false`);
  });

  it.each(['orphanDependents=x', 'gracePeriodSeconds='])(
    'keeps the object if a delete has it wrong: %s',
    async (query) => {
      expect((await api.delete(`${item}?${query}`)).status).toBe(400);
      expect((await api.get(item)).status).toBe(200);
    },
  );

  it.each([
    ['pretty', '{\n'],
    ['pretty=T', '{\n'],
    ['pretty=f', '{"kind"'],
  ])('%s is read as Go would', async (query, start) => {
    expect((await api.get(`${item}?${query}`)).text.slice(0, start.length)).toBe(start);
  });
});

describe('a version is compared by its number', () => {
  it.each([
    ['', 200],
    ['00', 200],
    ['1', 409],
  ])('a PUT with %j: %i', async (resourceVersion, expected) => {
    const { status } = await api.put(item, { metadata: { name: 'present', resourceVersion } });
    expect(status).toBe(expected);
  });

  it('even if zeros are before it', async () => {
    const { resourceVersion } = (await api.get(item)).body.metadata;
    const metadata = { name: 'present', resourceVersion: `00${resourceVersion}` };
    expect((await api.put(item, { metadata })).status).toBe(200);
    const created = await api.post(configMaps, { metadata: { ...metadata, name: 'new' } });
    expect(created.body.message).toBe('resourceVersion should not be set on objects to be created');
  });
});

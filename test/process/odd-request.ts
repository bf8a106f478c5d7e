import type { Random } from '../permissions/request.ts';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

type Headers = Record<string, string>;

const collections = [
  '/api/v1/namespaces/default/configmaps',
  '/api/v1/namespaces/default/pods',
  '/api/v1/namespaces/default/secrets',
  '/apis/apps/v1/namespaces/default/deployments',
  '/apis/rbac.authorization.k8s.io/v1/clusterroles',
];
const patches = ['merge-patch+json', 'json-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const media = ['application/json', 'application/yaml', 'application/cbor', 'application/vnd.kubernetes.protobuf'];

/** Generates requests of which each contains texts that no other request contains. */
export class OddRequests {
  readonly #random: Random;
  #count = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  next(): OddRequest {
    const kinds = [
      this.#path,
      this.#selector,
      this.#object,
      this.#patch,
      this.#definition,
      this.#policy,
      this.#mediaType,
      this.#identity,
      this.#review,
      this.#document,
      this.#written,
    ];
    return this.#pick(kinds).call(this);
  }

  #path(): OddRequest {
    const [one, two, three] = [this.#word(), this.#word(), this.#word()];
    const path = this.#pick([
      `/${one}/${two}`,
      `/api/v1/${one}`,
      `/api/v1/namespaces/${one}/configmaps/${two}`,
      `/api/v1/namespaces/${one}/${two}/${three}/status`,
      `/apis/${one}.example.com/v1/${two}`,
      `/apis/apps/${one}/deployments`,
      `/api/v1/nodes/${one}/proxy/${two}`,
      `/console/${one}`,
      `/healthz/${one}`,
    ]);
    const query = this.#random(10) === 0 ? `?x=${'y'.repeat(6_000)}` : '';
    return this.#request(this.#pick(['GET', 'GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PURGE']), path + query);
  }

  #selector(): OddRequest {
    const [one, two] = [this.#word(), this.#word()];
    const query = this.#pick([
      `labelSelector=${one}%3D${two}`,
      `labelSelector=${one}+in+(${two},b)`,
      `fieldSelector=metadata.name%3D${one}`,
      `fieldSelector=spec.nodeName%3D${one}`,
      `continue=${one}`,
      `resourceVersion=${one}`,
      `${one}=${two}`,
      `watch=1&timeoutSeconds=1&labelSelector=${one}`,
    ]);
    return this.#request('GET', `${this.#pick(collections)}?${query}`);
  }

  /** Few of these texts are long, because they decide how much a bounded number of texts can hold. */
  #object(): OddRequest {
    const keys = Array.from({ length: 1 + this.#random(8) }, () => this.#word());
    const long = this.#random(50) === 0 ? this.#word().padEnd(50_000, '-') : this.#word();
    const texts = Object.fromEntries([...keys, long].map((key) => [key, this.#word()]));
    const object = this.#pick<object>([
      { metadata: { name: this.#word(), annotations: texts }, data: texts },
      { metadata: { name: this.#word(), labels: texts, finalizers: keys.map((key) => `${key}.example.com/x`) } },
      { metadata: { name: this.#word() }, [this.#word()]: texts, spec: texts },
      { metadata: { generateName: this.#word(), managedFields: [{ manager: long, fieldsV1: texts }] } },
      {
        metadata: { name: this.#word() },
        spec: {
          nodeSelector: texts,
          containers: keys.map((name) => ({
            name,
            image: name,
            resources: { limits: { cpu: `${this.#random(1e9)}m` } },
            env: [{ name, value: long }],
          })),
        },
      },
    ]);
    return this.#dryRun('POST', this.#pick(collections), object);
  }

  #patch(): OddRequest {
    const [one, two] = [this.#word(), this.#word()];
    const type = this.#pick(patches);
    const body = type.startsWith('json-patch')
      ? [{ op: this.#pick(['add', 'test', 'copy', 'remove']), path: `/data/${one}`, from: `/${two}`, value: two }]
      : { apiVersion: 'v1', kind: 'ConfigMap', metadata: { labels: { [one]: two } }, data: { [two]: one } };
    const path = `/api/v1/namespaces/default/configmaps/${this.#pick(['kube-root-ca.crt', one])}`;
    return this.#dryRun('PATCH', `${path}?force=true&fieldManager=${two}`, body, `application/${type}`);
  }

  /** Expressions, patterns and defaults of a custom type. */
  #definition(): OddRequest {
    const plural = `${this.#word()}s`;
    const group = `${this.#word()}.example.com`;
    const rules = Array.from({ length: 1 + this.#random(3) }, () => ({ rule: this.#expression('self.name') }));
    const most = this.#random(10) === 0 ? 900 : 9;
    const name = { type: 'string', pattern: `^${this.#word()}[a-z]{1,${most}}`, default: this.#word() };
    const schema = {
      type: 'object',
      'x-kubernetes-validations': rules,
      properties: { name, [this.#word()]: { type: this.#pick(['string', this.#word()]) } },
    };
    return this.#dryRun('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.${group}` },
      spec: {
        group,
        scope: 'Cluster',
        names: { plural, kind: plural.toUpperCase() },
        versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
      },
    });
  }

  #policy(): OddRequest {
    return this.#dryRun('POST', '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies', {
      metadata: { name: this.#word() },
      spec: {
        matchConstraints: {
          resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: [this.#word()] }],
        },
        variables: [{ name: this.#word(), expression: this.#expression('object.metadata.name') }],
        validations: [{ expression: this.#expression('object.metadata.name') }],
      },
    });
  }

  #mediaType(): OddRequest {
    const type = this.#pick([...media, `application/${this.#word()}`, `${this.#word()};${this.#word()}=1`]);
    const accept = this.#pick([
      `application/${this.#word()}, */*`,
      `application/json;as=${this.#word()};v=v1`,
      ...media,
    ]);
    const bytes = Buffer.from(`{"metadata":{"name":"${this.#word()}"},${this.#word()}`);
    const isWrite = this.#random(2) === 0;
    const path = `${this.#pick(collections)}?dryRun=All`;
    const headers = { accept, 'accept-encoding': this.#word(), 'accept-language': this.#word() };
    if (!isWrite) return this.#request('GET', path, headers);
    return { ...this.#request('POST', path, { ...headers, 'content-type': type }), body: bytes };
  }

  /** Users, groups and credentials. */
  #identity(): OddRequest {
    const [one, two] = [this.#word(), this.#word()];
    const namespace = this.#pick(['default', two]);
    const path = `/api/v1/namespaces/${namespace}/configmaps/${one}`;
    return this.#request(
      'GET',
      path,
      this.#pick<Headers>([
        { 'impersonate-user': one, 'impersonate-group': two },
        { 'impersonate-user': `system:serviceaccount:default:${one}` },
        { 'impersonate-user': one, [`impersonate-extra-${two}`]: one },
        { authorization: `Bearer ${one}` },
        { authorization: `Basic ${one}` },
        { 'x-forwarded-for': one, traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, [two]: one },
        { cookie: `${one}=${two}`, origin: `https://${one}` },
      ]),
    );
  }

  #review(): OddRequest {
    const [one, two] = [this.#word(), this.#word()];
    const resourceAttributes = { verb: one, resource: two, namespace: this.#word(), name: this.#word() };
    const [path, spec] = this.#pick<[string, object]>([
      ['authorization.k8s.io/v1/subjectaccessreviews', { user: one, groups: [two], resourceAttributes }],
      ['authorization.k8s.io/v1/selfsubjectaccessreviews', { resourceAttributes }],
      ['authorization.k8s.io/v1/selfsubjectrulesreviews', { namespace: one }],
      ['authentication.k8s.io/v1/tokenreviews', { token: one, audiences: [two] }],
    ]);
    return this.#json('POST', `/apis/${path}`, { spec });
  }

  #document(): OddRequest {
    const [one, two] = [this.#word(), this.#word()];
    const path = this.#pick([
      `/openapi/v3/apis/${one}/${two}`,
      `/openapi/v3/apis/apps/v1?hash=${one}`,
      `/openapi/v2?${one}=${two}`,
      `/apis/${one}`,
      `/apis?${one}`,
      `/metrics/${one}`,
      `/version?${one}`,
    ]);
    return this.#request('GET', path, { 'if-none-match': `"${one}"` });
  }

  /** Writes that are carried out. */
  #written(): OddRequest {
    const path = '/api/v1/namespaces/default/configmaps';
    if (this.#random(2) === 0) return this.#request('DELETE', `${path}?labelSelector=odd`);
    const [one, two] = [this.#word(), this.#word()];
    return this.#json('POST', path, { metadata: { name: one, labels: { odd: two } }, data: { [two]: one } });
  }

  #expression(text: string): string {
    const [one, two] = [this.#word(), this.#word()];
    return this.#pick([
      `${text} != '${one}'`,
      `${text}.matches('^${one}[a-z]{1,9}(${two})?$')`,
      `${text}.${one}(${two})`,
      `['${one}', '${two}'].all(x, x.contains(${text}))`,
      `${text}.startsWith('${one}' && `,
    ]);
  }

  #dryRun(method: string, path: string, body: object, type?: string): OddRequest {
    return this.#json(method, `${path}${path.includes('?') ? '&' : '?'}dryRun=All`, body, type);
  }

  #json(method: string, path: string, body: object, type = 'application/json'): OddRequest {
    return { ...this.#request(method, path, { 'content-type': type }), body: Buffer.from(JSON.stringify(body)) };
  }

  #request(method: string, path: string, headers: Headers = {}): OddRequest {
    return { method, path, headers: { 'user-agent': `${this.#word()}/1.0 (${this.#word()})`, ...headers } };
  }

  #word(): string {
    return `w${(this.#count++).toString(36)}${this.#random(1e9).toString(36)}`;
  }

  #pick<T>(values: readonly T[]): T {
    return values[this.#random(values.length)]!;
  }
}

import { isObject, type Json, type JsonObject, type Path } from '../invariants/json.ts';
import type { Answer } from './case.ts';
import type { Exchange } from './player.ts';

/** Times that servers set are not before this one, even when a fast clock restarts (`test/clock`). */
const started = Date.now() - 2 * 60 * 60_000;
const times = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const uids = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
/** Versions in messages of the store. */
const versionTexts = /(ResourceVersion in (?:precondition|object meta): |resource version: |\bversion: )\d+/g;
const recordVersions = /(in (?:precondition|record) \()\d+\)/g;
/** What is in messages that show a whole object, and in YAML. */
const quotedVersions = /(resourceVersion\\*"?: ?\\*")\d+/g;
const continueTexts = /\b(continue: )\S+/g;
/** The types of custom objects in expressions. */
const selfTypes = /\bselfType\d+/g;
/** The age of an object in a table. */
const age = /^(\d+[smh]){1,2}$/;
/** Names of generated volumes of pods. */
const volumes = /\bkube-api-access-[a-z0-9]{5}\b/g;
/** Where services have values that the server allocates. */
const allocated = /^(clusterIPs?|nodePort|healthCheckNodePort)$/;
/** Who has made a certificate request. The clients of two servers may have different credentials. */
const identity = /^(username|groups|uid|extra)$/;

interface Member {
  readonly path: Path;
  /** Whether it belongs to what a signer signs. */
  readonly isSigned: boolean;
}

/**
 * Replaces what a server chooses: uids, versions, times, generated names, addresses, ports and tokens. The same value
 * of a case is replaced by the same text, so that two servers agree when they choose a value in the same places.
 */
export class Masks {
  /** Masks by value. */
  readonly #texts = new Map<string, string>();
  readonly #versions = new Map<string, string>();
  #sent = '';

  masked({ path, body, answer }: Pick<Exchange, 'path' | 'body' | 'answer'>): Answer {
    // A value that the client has chosen is compared, unless an answer has had it before.
    this.#sent += `${path} ${JSON.stringify(body, (_key, value) => (typeof value === 'bigint' ? `${value}` : value))} `;
    this.#learn(answer.body);
    return {
      status: answer.status,
      warnings: answer.warnings.map((text) => this.#text(text)),
      body: this.#value(answer.body, []),
    };
  }

  /** Remembers the uid and the name of each object in the answer. A name that was not sent is a generated one. */
  #learn(body: Json): void {
    if (!isObject(body)) return;
    const { metadata, details, items } = body;
    if (isObject(metadata)) {
      this.#remember('uid', metadata.uid);
      this.#remember('name', metadata.name);
    }
    if (isObject(details) && this.#sent.includes('"generateName"')) this.#remember('name', details.name);
    if (Array.isArray(items)) for (const item of items) this.#learn(item);
  }

  #remember(what: string, value: Json | undefined): void {
    const text = typeof value === 'number' ? `${value}` : value;
    if (typeof text !== 'string' || text === '' || this.#texts.has(text) || this.#sent.includes(text)) return;
    this.#texts.set(text, `<${what} ${this.#texts.size + 1}>`);
  }

  #value(value: Json, path: Path): Json {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((item, index) => this.#value(item, [...path, index]));
    if (!isObject(value)) return value;
    // A list has the version of the whole store.
    const isList = Array.isArray(value.items) || Array.isArray(value.rows);
    const isSigned = value.signerName !== undefined;
    const masked: JsonObject = {};
    for (const [name, member] of Object.entries(value)) {
      masked[this.#text(name)] =
        isList && name === 'metadata'
          ? this.#listMetadata(member)
          : this.#member(name, member, { path: [...path, name], isSigned });
    }
    return masked;
  }

  #member(name: string, value: Json, { path, isSigned }: Member): Json {
    if (name === 'resourceVersion' && typeof value === 'string') return this.#version(value);
    if (name === 'cells')
      return (value as Json[]).map((cell) => (age.test(`${cell}`) ? '<age>' : this.#value(cell, path)));
    if (identity.test(name) && isSigned) return '<client>';
    if (name === 'token' && typeof value === 'string' && value !== '') return '<token>';
    if (name === 'managedFields' && Array.isArray(value)) return this.#value(value.toSorted(byManager), path);
    if (allocated.test(name)) this.#allocate(name, value);
    if (typeof value === 'number' && allocated.test(name)) return this.#texts.get(`${value}`) ?? value;
    return this.#value(value, path);
  }

  #listMetadata(metadata: Json): Json {
    const { resourceVersion, ...rest } = metadata as JsonObject;
    const masked = resourceVersion === undefined ? rest : { ...rest, resourceVersion: '<list version>' };
    return 'continue' in masked ? { ...masked, continue: '<continue>' } : masked;
  }

  #allocate(name: string, value: Json): void {
    for (const one of [value].flat()) if (one !== 'None') this.#remember(name.replace(/s$/, ''), one);
  }

  /** Numbered, so that a write that changes nothing differs from one that does. */
  #version(version: string): string {
    const known = this.#versions.get(version) ?? `<version ${this.#versions.size + 1}>`;
    this.#versions.set(version, known);
    return known;
  }

  #text(text: string): string {
    let masked = text
      .replace(times, (time) =>
        Date.parse(time) >= started ? `<time${time.includes('.') ? ' in micros' : ''}>` : time,
      )
      .replace(versionTexts, '$1<version>')
      .replace(recordVersions, '$1<version>)')
      .replace(selfTypes, 'selfType')
      .replace(quotedVersions, '$1<version>')
      .replace(continueTexts, '$1<continue>')
      .replace(volumes, 'kube-api-access-<random>');
    for (const [uid] of masked.matchAll(uids)) this.#remember('uid', uid);
    for (const [value, mask] of this.#texts) masked = masked.replaceAll(value, mask);
    return masked;
  }
}

/** Servers order the writes by their times, which may be the same. */
function byManager(one: Json, other: Json): number {
  const [left, right] = [one, other].map((entry) => {
    const { operation, manager, subresource, apiVersion } = entry as JsonObject;
    return `${operation} ${manager} ${subresource} ${apiVersion}`;
  }) as [string, string];
  return left < right ? -1 : Number(left > right);
}

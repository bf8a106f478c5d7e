import { setTimeout as delay } from 'node:timers/promises';
import type { Fetch } from '../../src/client/index.ts';
import type { Json, JsonObject } from '../invariants/json.ts';
import { patchTypes } from '../invariants/run-case.ts';
import type { BodyCodec } from './body-codec.ts';
import type { Answer, Case, FromAnswers, Step } from './case.ts';

/** A request as it was sent, and its answer. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly type: string | undefined;
  readonly accept: string | undefined;
  readonly manager: string | undefined;
  readonly body: Json | undefined;
  readonly answer: Answer;
  readonly isCompared: boolean;
}

/** How often a request is repeated until its answer is as expected. */
const maxRepeats = 600;
const repeatMs = 50;
const notTaken: Answer = { status: 0, warnings: [], body: null };

/** Plays cases on one server. */
export class Player {
  readonly #fetch: Fetch;
  readonly #codec: BodyCodec;

  constructor(fetch: Fetch, codec: BodyCodec) {
    this.#fetch = fetch;
    this.#codec = codec;
  }

  /** Returns an exchange for each step. Deletes what the steps have created. */
  async play({ namespace, steps }: Case): Promise<Exchange[]> {
    if (namespace !== undefined) await this.#makeNamespace(namespace);
    const exchanges: Exchange[] = [];
    const created = new Set<string>();
    for (const step of steps) {
      const answers = exchanges.map(({ answer }) => answer);
      const exchange = await this.#take(step, answers);
      exchanges.push(exchange);
      const item = createdItem(step, exchange.answer);
      if (item !== undefined) created.add(item);
    }
    for (const item of [...created].reverse()) await this.#remove(item);
    if (namespace !== undefined) await this.#removeNamespace(namespace);
    return exchanges;
  }

  async get(path: string): Promise<Answer> {
    return (await this.#send({ method: 'GET', path }, path, undefined)).answer;
  }

  async #take(step: Step, answers: readonly Answer[]): Promise<Exchange> {
    const path = inCase(step.path, answers);
    const body = step.body === undefined ? undefined : inCase(step.body, answers);
    if (path === undefined || (step.body !== undefined && body === undefined)) {
      return this.#exchange(step, { path: '', body, answer: notTaken });
    }
    const { until } = step;
    if (until === undefined) return this.#send(step, path, body);
    for (let repeats = 0; ; repeats++) {
      const exchange = await this.#send(step, path, body);
      if (until(exchange.answer) || repeats >= maxRepeats) return exchange;
      await delay(repeatMs);
    }
  }

  async #send(step: Step, path: string, body: Json | undefined): Promise<Exchange> {
    const sent = body === undefined ? undefined : this.#codec.encode(body, step.type ?? 'application/json');
    const response = await this.#fetch({
      method: step.method,
      path,
      headers: {
        accept: step.accept ?? this.#codec.accept,
        'user-agent': step.manager ?? 'differential',
        ...(sent && { 'content-type': sent.type }),
      },
      ...(sent && { body: sent.bytes }),
    });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const answer = {
      status: response.status,
      warnings: warningsIn(response.headers.warning),
      body: this.#codec.decode(Buffer.concat(chunks), response.headers['content-type'] ?? ''),
    };
    return this.#exchange(step, { path, body, answer });
  }

  #exchange({ method, type, accept, manager, until }: Step, one: Pick<Exchange, 'path' | 'body' | 'answer'>): Exchange {
    return { method, type, accept, manager, isCompared: until === undefined, ...one };
  }

  async #makeNamespace(name: string): Promise<void> {
    await this.#call('POST', '/api/v1/namespaces', { metadata: { name } });
    // Pods need it, and not every server has the controller that creates it.
    await this.#call('POST', `/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }

  async #removeNamespace(name: string): Promise<void> {
    await this.#remove(`/api/v1/namespaces/${name}/serviceaccounts/default`);
    await this.#remove(`/api/v1/namespaces/${name}`);
  }

  /** Deletes the object, whatever its finalizers are. */
  async #remove(item: string): Promise<void> {
    const { status, body } = await this.#call('DELETE', `${item}?gracePeriodSeconds=0`);
    const { metadata, kind } = body as { metadata?: JsonObject; kind?: string };
    if (status >= 300 || metadata?.deletionTimestamp === undefined) return;
    if (metadata.finalizers !== undefined) {
      await this.#call('PATCH', item, { metadata: { finalizers: null } }, patchTypes.merge);
    }
    if (kind === 'Namespace') {
      const { body: left } = await this.#call('GET', item);
      await this.#call('PUT', `${item}/finalize`, { ...(left as JsonObject), spec: {} });
    }
  }

  async #call(method: string, path: string, body?: Json, type?: string): Promise<Answer> {
    return (await this.#send({ method, path, ...(type !== undefined && { type }) }, path, body)).answer;
  }
}

function inCase<T>(value: FromAnswers<T>, answers: readonly Answer[]): T {
  return typeof value === 'function' ? (value as (answers: readonly Answer[]) => T)(answers) : value;
}

function createdItem({ creates }: Step, { status, body }: Answer): string | undefined {
  if (creates === undefined || status < 200 || status >= 300) return undefined;
  const name = (body as { metadata?: { name?: string } }).metadata?.name;
  return name === undefined ? undefined : `${creates}/${encodeURIComponent(name)}`;
}

/** The texts of the warnings in a header such as `299 - "unknown field"`. */
function warningsIn(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  return [header].flat().flatMap((line) => [...line.matchAll(/299 \S+ ("(?:[^"\\]|\\.)*")/g)].map(([, text]) => text!));
}

import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { JsonSource } from '../../meta/json-source.ts';
import type { Steps } from '../../meta/turns.ts';
import { requestBounds, tooManyKeys, tooManyValues } from '../document-bounds.ts';
import { AliasBudget } from './alias-budget.ts';
import { GrowingObject } from './growing-object.ts';
import { mappingKey } from './mapping-key.ts';
import { resolvePlain, resolveTagged, type Scalar } from './resolve-scalar.ts';
import type { ListFrame, MapFrame, MergeFrame, ValueFrame } from './value-frame.ts';
import { events, type YamlEvents } from './yaml-events.ts';

const int64Bound = 2n ** 63n;
const maxDepth = 10_000;
/** The maximum number of duplicate keys that are reported. */
const maxDuplicates = 100;
const stepsBetweenYields = 256;
const mergeTag = 'tag:yaml.org,2002:merge';

export interface BuiltValue {
  readonly value: unknown;
  readonly duplicates: readonly string[];
  /** The earlier values of duplicate keys. Undefined if there are none. */
  readonly superseded?: JsonSource['superseded'] | undefined;
}

/** Builds the JSON value of a document. */
export function* buildValue(document: YamlEvents): Steps<BuiltValue> {
  return document.length === 0 ? { value: null, duplicates: [] } : yield* new ValueBuilder(document).build();
}

/**
 * Uses an explicit stack instead of recursion. Replays the events of the anchor for every alias, so that no part of the
 * value is shared.
 */
class ValueBuilder {
  readonly #events: YamlEvents;
  readonly #budget = new AliasBudget();
  readonly #duplicates: string[] = [];
  #superseded: Map<object, ReadonlyMap<string, readonly Record<string, unknown>[]>> | undefined;
  #lastKey = '';
  #lastSyntax = '';
  #lastError = ': key "" already set in map';
  #frame: ValueFrame | undefined;
  #depth = 0;
  #values = 0;
  #aliasDepth = 0;
  #at = 0;
  #result: unknown = null;

  constructor(document: YamlEvents) {
    this.#events = document;
  }

  *build(): Steps<BuiltValue> {
    let steps = 0;
    do {
      const frame = this.#frame;
      if (frame?.kind === 'merge') this.#mergeNext(frame);
      else if (frame?.kind === 'map' && frame.phase === 'merge') this.#merge(frame);
      else this.#node(this.#at++);
      if (++steps % stepsBetweenYields === 0) yield;
    } while (this.#frame !== undefined);
    return { value: this.#result, duplicates: this.#duplicates, superseded: this.#superseded };
  }

  #node(at: number): void {
    switch (this.#events.kindOf(at)) {
      case events.plain:
      case events.scalar:
        this.#scalar(at);
        break;
      case events.end:
        this.#close();
        break;
      case events.alias:
        this.#alias(at);
        break;
      default:
        this.#begin(at, at);
    }
  }

  #scalar(at: number): void {
    const frame = this.#frame;
    const value = this.#scalarAt(at);
    if (value === '<<' && frame?.kind === 'map' && frame.phase === 'key' && this.#isMergeKey(at)) {
      frame.phase = 'merge';
      return;
    }
    if (this.#aliasDepth === 0) this.#budget.count();
    else this.#budget.countAliased(this.#events.textLengthOf(at));
    this.#complete(value, at, at);
  }

  #isMergeKey(at: number): boolean {
    return this.#events.kindOf(at) === events.plain || this.#events.tagOf(at) === mergeTag;
  }

  #scalarAt(at: number): Scalar {
    const text = this.#events.textOf(at);
    if (this.#events.kindOf(at) === events.plain) return resolvePlain(text);
    const tag = this.#events.tagOf(at);
    return tag === '' ? text : resolveTagged(text, tag);
  }

  #countContainer(): void {
    if (this.#aliasDepth === 0) this.#budget.count();
    else this.#budget.countAliased(0);
  }

  #alias(at: number): void {
    const target = this.#enterAlias(at);
    const kind = this.#events.kindOf(target);
    if (kind === events.mapping || kind === events.sequence) {
      this.#begin(target, at);
      return;
    }
    this.#budget.countAliased(this.#events.textLengthOf(target));
    this.#complete(this.#scalarAt(target), target, at);
    this.#aliasDepth--;
  }

  #enterAlias(at: number): number {
    this.#countContainer();
    const target = this.#events.targetOf(at);
    if (this.#events.isOpen(target)) {
      throw new DecodeError(`yaml: anchor '${this.#events.nameOf(at)}' value contains itself`);
    }
    this.#aliasDepth++;
    return target;
  }

  /** Begins a list or a map. With `into`, the keys of the map are merged into that map. */
  #begin(begin: number, place: number, into?: MapFrame): void {
    this.#countContainer();
    if (this.#depth >= maxDepth) throw new DecodeError('exceeded max depth');
    this.#depth++;
    this.#events.open(begin);
    this.#at = begin + 1;
    const around = this.#frame;
    if (this.#events.kindOf(begin) === events.sequence) {
      this.#frame = { kind: 'list', around, begin, place, list: [] };
      return;
    }
    const object = into?.object ?? new GrowingObject();
    const isMerged = into !== undefined;
    this.#frame = { kind: 'map', around, begin, place, object, isMerged, phase: 'key', key: '', syntax: '' };
  }

  #close(): void {
    const frame = this.#frame as ListFrame | MapFrame;
    this.#leave(frame);
    this.#events.close(frame.begin);
    if (frame.place !== frame.begin) {
      this.#aliasDepth--;
      this.#at = frame.place + 1;
    }
    if (frame.kind === 'list') this.#complete(frame.list, frame.begin, frame.place);
    else if (!frame.isMerged) this.#complete(this.#finished(frame.object), frame.begin, frame.place);
  }

  #finished(object: GrowingObject): Record<string, unknown> {
    const value = object.finish();
    if (object.superseded !== undefined) {
      this.#superseded ??= new Map();
      this.#superseded.set(value, object.superseded);
    }
    return value;
  }

  #leave(frame: ValueFrame): void {
    this.#frame = frame.around;
    this.#depth--;
  }

  /** Adds the value of an event to the current container. `place` is the alias event if the value is aliased. */
  #complete(value: unknown, event: number, place: number): void {
    const frame = this.#frame;
    if (frame?.kind === 'map' && frame.phase === 'key') {
      this.#setKey(frame, value, event);
      return;
    }
    if (++this.#values > requestBounds.maxValues) throw tooManyValues(requestBounds);
    if (frame?.kind === 'map') {
      this.#setValue(frame, value, place);
      return;
    }
    if (frame === undefined) this.#result = jsonValue(value);
    else (frame as ListFrame).list.push(jsonValue(value));
  }

  #setKey(frame: MapFrame, value: unknown, event: number): void {
    frame.phase = 'value';
    if (typeof value === 'string') {
      frame.key = value;
      frame.syntax = '';
      return;
    }
    const { name, syntax } = mappingKey(value, typeof value === 'number' ? this.#events.textOf(event) : '');
    frame.key = name;
    frame.syntax = syntax;
  }

  #setValue(frame: MapFrame, value: unknown, place: number): void {
    frame.phase = 'key';
    if (frame.object.set(frame.key, frame.syntax, jsonValue(value))) this.#noteDuplicate(frame, place);
    if (frame.object.size > requestBounds.maxKeys) throw tooManyKeys(requestBounds);
  }

  #noteDuplicate({ key, syntax }: MapFrame, place: number): void {
    if (this.#duplicates.length === maxDuplicates) return;
    // Consecutive duplicates of a key share the message, because there may be many.
    if (key !== this.#lastKey || syntax !== this.#lastSyntax) {
      this.#lastKey = key;
      this.#lastSyntax = syntax;
      this.#lastError = `: key ${syntax === '' ? goQuote(key) : syntax} already set in map`;
    }
    this.#duplicates.push(`line ${this.#events.lineOf(place) + 1}${this.#lastError}`);
  }

  /** Merges the next node, which is the value of a `<<` key. */
  #merge(frame: MapFrame): void {
    frame.phase = 'key';
    const at = this.#at;
    if (this.#events.kindOf(at) !== events.sequence) {
      this.#mergeMap(at, frame);
      return;
    }
    const pending: number[] = [];
    let child = at + 1;
    for (; this.#events.kindOf(child) !== events.end; child = this.#events.behind(child)) pending.push(child);
    this.#frame = { kind: 'merge', around: frame, pending, after: child + 1 };
    this.#depth++;
  }

  #mergeNext(frame: MergeFrame): void {
    const next = frame.pending.pop();
    if (next === undefined) {
      this.#leave(frame);
      this.#at = frame.after;
    } else {
      this.#mergeMap(next, frame.around);
    }
  }

  #mergeMap(at: number, into: MapFrame): void {
    const isAlias = this.#events.kindOf(at) === events.alias;
    if (this.#events.kindOf(isAlias ? this.#events.targetOf(at) : at) !== events.mapping) {
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    }
    into.object.isMerged = true;
    this.#begin(isAlias ? this.#enterAlias(at) : at, at, into);
  }
}

/** Converts a scalar to JSON, where integers outside the int64 range are floats. NaN and infinity are errors. */
function jsonValue(value: unknown): unknown {
  if (typeof value === 'bigint') return value < int64Bound ? value : Number(value);
  if (typeof value !== 'number' || Number.isFinite(value)) return value;
  const name = Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
  throw new DecodeError(`json: unsupported value: ${name}`);
}

import { DecodeError } from '../../meta/decode-error.ts';
import { goQuote } from '../../meta/go-quote.ts';
import { AliasBudget } from './alias-budget.ts';
import { mappingKey } from './mapping-key.ts';
import type { YamlEvent } from './parse-yaml.ts';
import { resolvePlain, resolveTagged, type Scalar } from './resolve-scalar.ts';
import { define, sortedObject } from './sorted-object.ts';

const deepest = 10_000;
const mergeTag = 'tag:yaml.org,2002:merge';

interface ListFrame {
  readonly kind: 'list';
  readonly begin: number;
  readonly returnTo: number;
  readonly list: unknown[];
}

interface MapFrame {
  readonly kind: 'map';
  readonly begin: number;
  /** Where to go on when it is complete, if an alias has led here; otherwise -1. */
  readonly returnTo: number;
  readonly object: Record<string, unknown>;
  /** Set when the keys go into the map around this one. */
  readonly isMerged: boolean;
  phase: 'key' | 'merge' | 'value';
  key: string;
  syntax: string;
}

/** The maps of a list that go into the map around it, the last one first: earlier ones override. */
interface MergeFrame {
  readonly kind: 'merge';
  readonly pending: number[];
  readonly after: number;
}

type Frame = ListFrame | MapFrame | MergeFrame;

export interface BuiltValue {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/** The JSON value of a document. */
export function buildValue(events: readonly YamlEvent[]): BuiltValue {
  return events.length === 0 ? { value: null, duplicates: [] } : new ValueBuilder(events).build();
}

/** Keeps its own stack, and goes back to the events of an anchor for every alias: nothing is shared in the value. */
class ValueBuilder {
  readonly #events: readonly YamlEvent[];
  /** By the place of an alias, the place of what it refers to. */
  readonly #targets: ReadonlyMap<number, number>;
  readonly #frames: Frame[] = [];
  /** The places of the anchors that are not complete. */
  readonly #open = new Set<number>();
  readonly #budget = new AliasBudget();
  readonly #duplicates: string[] = [];
  /** The keys of an object that are no texts, as Go prints them. They are other keys than the same texts. */
  readonly #otherKeys = new Map<object, Set<string>>();
  #aliasDepth = 0;
  #at = 0;
  #result: unknown = null;

  constructor(events: readonly YamlEvent[]) {
    this.#events = events;
    this.#targets = findTargets(events);
  }

  build(): BuiltValue {
    do {
      const frame = this.#frames.at(-1);
      if (frame?.kind === 'merge') this.#mergeNext(frame);
      else if (frame?.kind === 'map' && frame.phase === 'merge') this.#merge(frame);
      else this.#node(this.#at++);
    } while (this.#frames.length > 0);
    return { value: this.#result, duplicates: this.#duplicates };
  }

  #node(at: number): void {
    const event = this.#events[at]!;
    switch (event.kind) {
      case 'end':
        this.#close();
        break;
      case 'alias':
        this.#alias(at, event);
        break;
      case 'scalar':
        this.#scalar(event);
        break;
      default:
        this.#begin(at, { returnTo: -1 });
    }
  }

  #scalar(event: YamlEvent): void {
    const frame = this.#frames.at(-1);
    if (frame?.kind === 'map' && frame.phase === 'key' && isMergeKey(event)) {
      frame.phase = 'merge';
      return;
    }
    this.#budget.count(this.#aliasDepth > 0, event.text.length);
    this.#complete(scalarOf(event), event);
  }

  #alias(at: number, event: YamlEvent): void {
    this.#budget.count(this.#aliasDepth > 0, 0);
    const target = this.#targets.get(at)!;
    if (this.#open.has(target)) throw new DecodeError(`yaml: anchor '${event.text}' value contains itself`);
    this.#aliasDepth++;
    if (this.#events[target]!.kind !== 'scalar') {
      this.#begin(target, { returnTo: at + 1 });
      return;
    }
    const scalar = this.#events[target]!;
    this.#budget.count(true, scalar.text.length);
    this.#complete(scalarOf(scalar), event);
    this.#aliasDepth--;
  }

  #begin(at: number, { returnTo, into }: { readonly returnTo: number; readonly into?: MapFrame }): void {
    const event = this.#events[at]!;
    this.#budget.count(this.#aliasDepth > 0, 0);
    if (this.#frames.length >= deepest) throw new DecodeError('exceeded max depth');
    if (event.anchor !== '') this.#open.add(at);
    this.#at = at + 1;
    if (event.kind === 'sequence') {
      this.#frames.push({ kind: 'list', begin: at, returnTo, list: [] });
      return;
    }
    this.#frames.push({
      kind: 'map',
      begin: at,
      returnTo,
      object: into?.object ?? {},
      isMerged: into !== undefined,
      phase: 'key',
      key: '',
      syntax: '',
    });
  }

  #close(): void {
    const frame = this.#frames.pop() as ListFrame | MapFrame;
    this.#open.delete(frame.begin);
    if (frame.returnTo !== -1) {
      this.#aliasDepth--;
      this.#at = frame.returnTo;
    }
    if (frame.kind === 'list') this.#complete(frame.list, this.#events[frame.begin]!);
    else if (!frame.isMerged) this.#complete(sortedObject(frame.object), this.#events[frame.begin]!);
  }

  /** Puts a value where it belongs. `event` is where it stands in the text. */
  #complete(value: unknown, event: YamlEvent): void {
    const frame = this.#frames.at(-1);
    if (frame?.kind === 'map') {
      if (frame.phase === 'key') this.#setKey(frame, value, event);
      else this.#setValue(frame, value, event);
      return;
    }
    refuseInfinite(value);
    if (frame === undefined) this.#result = value;
    else (frame as ListFrame).list.push(value);
  }

  #setKey(frame: MapFrame, value: unknown, event: YamlEvent): void {
    frame.phase = 'value';
    if (typeof value === 'string') {
      frame.key = value;
      frame.syntax = '';
      return;
    }
    const key = mappingKey(value, event.text);
    frame.key = key.name;
    frame.syntax = key.syntax;
  }

  #setValue(frame: MapFrame, value: unknown, event: YamlEvent): void {
    refuseInfinite(value);
    const { object, key, syntax } = frame;
    frame.phase = 'key';
    if (Object.hasOwn(object, key)) this.#noteDuplicate(frame, event);
    if (syntax !== '') this.#noteOther(object, syntax);
    define(object, key, value);
  }

  #noteDuplicate({ object, key, syntax }: MapFrame, event: YamlEvent): void {
    const others = this.#otherKeys.get(object);
    const isSame = syntax === '' ? others?.has(key) !== true : others?.has(syntax) === true;
    if (isSame) this.#duplicate(event, syntax === '' ? goQuote(key) : syntax);
  }

  #noteOther(object: object, syntax: string): void {
    const others = this.#otherKeys.get(object);
    if (others === undefined) this.#otherKeys.set(object, new Set([syntax]));
    else others.add(syntax);
  }

  #duplicate(event: YamlEvent, syntax: string): void {
    this.#duplicates.push(`line ${event.line + 1}: key ${syntax} already set in map`);
  }

  /** With the value of the key `<<` next. */
  #merge(frame: MapFrame): void {
    frame.phase = 'key';
    const at = this.#at;
    if (this.#events[at]!.kind !== 'sequence') {
      this.#mergeMap(at, at + 1, frame);
      return;
    }
    const pending: number[] = [];
    let child = at + 1;
    for (; this.#events[child]!.kind !== 'end'; child = this.#behind(child)) pending.push(child);
    this.#frames.push({ kind: 'merge', pending, after: child + 1 });
  }

  #mergeNext(frame: MergeFrame): void {
    const next = frame.pending.pop();
    if (next === undefined) {
      this.#frames.pop();
      this.#at = frame.after;
    } else {
      this.#mergeMap(next, this.#behind(next), this.#frames.at(-2) as MapFrame);
    }
  }

  #mergeMap(at: number, after: number, into: MapFrame): void {
    const event = this.#events[at]!;
    const target = event.kind === 'alias' ? this.#targets.get(at)! : at;
    if (this.#events[target]!.kind !== 'mapping') {
      throw new DecodeError('yaml: map merge requires map or sequence of maps as the value');
    }
    if (target === at) {
      this.#begin(at, { returnTo: -1, into });
      return;
    }
    this.#budget.count(this.#aliasDepth > 0, 0);
    if (this.#open.has(target)) throw new DecodeError(`yaml: anchor '${event.text}' value contains itself`);
    this.#aliasDepth++;
    this.#begin(target, { returnTo: after, into });
  }

  /** The place behind a value. */
  #behind(at: number): number {
    let depth = 0;
    let next = at;
    do {
      const { kind } = this.#events[next]!;
      if (kind === 'end') depth--;
      else if (kind === 'mapping' || kind === 'sequence') depth++;
      next++;
    } while (depth > 0);
    return next;
  }
}

function findTargets(events: readonly YamlEvent[]): ReadonlyMap<number, number> {
  const anchors = new Map<string, number>();
  const targets = new Map<number, number>();
  events.forEach((event, at) => {
    if (event.anchor !== '') anchors.set(event.anchor, at);
    if (event.kind !== 'alias') return;
    const target = anchors.get(event.text);
    if (target === undefined) throw new DecodeError(`yaml: unknown anchor '${event.text}' referenced`);
    targets.set(at, target);
  });
  return targets;
}

const isMergeKey = (event: YamlEvent): boolean => event.text === '<<' && (event.isPlain || event.tag === mergeTag);

function scalarOf(event: YamlEvent): Scalar {
  if (event.tag !== '') return resolveTagged(event.text, event.tag);
  return event.isPlain ? resolvePlain(event.text) : event.text;
}

function refuseInfinite(value: unknown): void {
  if (typeof value !== 'number' || Number.isFinite(value)) return;
  const name = Number.isNaN(value) ? 'NaN' : `${value > 0 ? '+' : '-'}Inf`;
  throw new DecodeError(`json: unsupported value: ${name}`);
}

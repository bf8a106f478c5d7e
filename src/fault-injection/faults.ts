import type { Filter, Handler } from '../http/pipeline.ts';
import { respondError } from '../http/render.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { WatchOutlet } from '../http/watch/watch-outlet.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Storage } from '../storage/index.ts';
import { ArmedRule } from './armed-rule.ts';
import { droppedExchange } from './dropped-exchange.ts';
import { faultError } from './fault-error.ts';
import type { ActiveRule, FaultedRequest, FaultRule, MetFault } from './fault-rule.ts';
import { FaultedWatch, isWatchAction, type WatchAction } from './faulted-watch.ts';
import { FaultyReads } from './faulty-reads.ts';
import { matchesRequest } from './match-request.ts';
import { parseRule } from './parse-rule.ts';

/** Paths of the test API itself, which must stay within reach. */
const ownPaths = '/keelson/';
const maxRules = 1000;
const maxLog = 10_000;

export interface FaultsOptions {
  readonly storage: Pick<Storage, 'latestRevision' | 'compact' | 'compactedRevision'>;
  /** Opens and closes the port. */
  readonly setListening: (isListening: boolean) => void;
  /** Its abort removes all rules. */
  readonly signal: AbortSignal;
}

interface Met {
  readonly armed: ArmedRule;
  readonly match: number;
}

/** The fault rules of a server, and what they have done. */
export class Faults {
  readonly #storage: FaultsOptions['storage'];
  readonly #setListening: FaultsOptions['setListening'];
  /** In the order in which they were added. */
  readonly #rules = new Map<string, ArmedRule>();
  readonly #watches = new Set<FaultedWatch>();
  readonly #reads: FaultyReads;
  #log: MetFault[] = [];
  #sequence = 0;
  #lastId = 0;

  constructor({ storage, setListening, signal }: FaultsOptions) {
    this.#storage = storage;
    this.#setListening = setListening;
    this.#reads = new FaultyReads(() => storage.compactedRevision());
    signal.addEventListener('abort', () => this.clear(), { once: true });
  }

  /**
   * Adds a rule, or replaces the one with its id. Rules on watches also apply to those that are open. Rejects with a
   * RangeError for a rule that makes no sense.
   */
  async add(rule: FaultRule): Promise<ActiveRule> {
    const parsed = parseRule(rule);
    const since = parsed.action.type === 'staleRead' ? await this.#storage.latestRevision() : 0;
    const id = parsed.id ?? this.#nextId();
    this.remove(id);
    if (this.#rules.size >= maxRules) throw new RangeError(`there are already ${maxRules} fault rules`);
    const armed = new ArmedRule(id, parsed, since);
    this.#rules.set(id, armed);
    const { action } = armed;
    if (isWatchAction(action)) this.#meetOpenWatches(armed, action);
    if (action.type === 'refuseConnections' && action.ms !== undefined) this.#removeAfter(armed, action.ms);
    if (action.type === 'closePort') this.#closePort(armed, action.ms);
    return armed.state;
  }

  /** Returns whether the rule existed. Held requests and events continue. */
  remove(id: string): boolean {
    const armed = this.#rules.get(id);
    if (armed === undefined) return false;
    this.#rules.delete(id);
    armed.removed.abort();
    for (const watch of this.#watches) watch.lift(armed);
    return true;
  }

  /** Removes all rules. The log stays. */
  clear(): void {
    for (const id of [...this.#rules.keys()]) this.remove(id);
  }

  list(): ActiveRule[] {
    return [...this.#rules.values()].map(({ state }) => state);
  }

  find(id: string): ActiveRule | undefined {
    return this.#rules.get(id)?.state;
  }

  /** Which fault met which request, oldest first. The last ten thousand are kept. */
  log(): readonly MetFault[] {
    return [...this.#log];
  }

  clearLog(): void {
    this.#log = [];
    this.#sequence = 0;
  }

  /** Removes all history now, so that watches and continue tokens of older versions get a 410. Returns the revision. */
  async compact(): Promise<number> {
    const revision = await this.#storage.latestRevision();
    await this.#storage.compact(revision);
    return revision;
  }

  /** Whether a new connection is reset. */
  readonly refuses = (): boolean => {
    for (const armed of this.#rules.values()) {
      if (armed.action.type !== 'refuseConnections' || !armed.meets()) continue;
      this.#record({ armed, match: armed.matched });
      return true;
    }
    return false;
  };

  /** Gives the resources that some requests read in a faulty way. */
  readonly resources: FaultyReads['resources'] = (inner) => this.#reads.resources(inner);

  /** Runs after authorization, so that faults reveal nothing to unauthorized clients. */
  readonly filter: Filter = (context, next) => {
    if (context.info.path.startsWith(ownPaths)) return next(context);
    const request = requestOf(context);
    const met = this.#meet(request);
    if (context.info.verb === 'watch' && context.info.target !== undefined) {
      context.interceptWatch = (outlet) => this.#openWatch(outlet, { context, request, met });
    }
    return met.length === 0 ? next(context) : this.#process(context, next, { met, request });
  };

  /** All rules count the request. Rules after one that ends it have no effect. */
  #meet(request: FaultedRequest): Met[] {
    const met: Met[] = [];
    for (const armed of this.#rules.values()) {
      const { action, rule } = armed;
      if (isAboutConnections(action) || !matchesRequest(rule.match ?? {}, request)) continue;
      if (isWatchAction(action) && request.verb !== 'watch') continue;
      if (armed.meets()) met.push({ armed, match: armed.matched });
    }
    const last = met.findIndex(({ armed: { action } }) => ends(action));
    return last < 0 ? met : met.slice(0, last + 1);
  }

  #process(
    context: RequestContext,
    next: Handler,
    { met, request }: { met: readonly Met[]; request: FaultedRequest },
  ): MaybePromise<void> {
    for (const one of met) if (!isWatchAction(one.armed.action)) this.#record(one, request);
    const waits = met.filter(({ armed: { action } }) => ['delay', 'hold', 'compact'].includes(action.type));
    if (waits.length === 0) return this.#act(context, next, met);
    return this.#wait(context, waits).then(() => {
      // The deadline may have responded, or the client may have left.
      if (!context.exchange.responded && !context.exchange.signal.aborted) return this.#act(context, next, met);
    });
  }

  async #wait({ exchange: { signal } }: RequestContext, waits: readonly Met[]): Promise<void> {
    for (const { armed } of waits) {
      const { action } = armed;
      if (action.type === 'compact') await this.compact();
      if (action.type === 'hold') await pause(undefined, [armed.removed.signal, signal]);
      if (action.type !== 'delay') continue;
      const ms = typeof action.ms === 'number' ? action.ms : armed.between(action.ms);
      await pause(ms, [armed.removed.signal, signal]);
    }
  }

  #act(context: RequestContext, next: Handler, met: readonly Met[]): MaybePromise<void> {
    const { target } = context.info;
    for (const { armed } of met) {
      const { action } = armed;
      if (action.type === 'status') {
        // Not thrown, because the server would log it as its own error.
        respondError(context, faultError(action));
        return;
      }
      if (action.type === 'drop' && action.when === 'before') {
        context.exchange.abort();
        return;
      }
      if (action.type === 'drop') context.exchange = droppedExchange(context.exchange);
      if (target === undefined) continue;
      if (action.type === 'expireContinue') this.#reads.add(target, { expiresContinue: true });
      if (action.type === 'staleRead') {
        this.#reads.add(target, { revision: Number(action.resourceVersion ?? armed.since) });
      }
    }
    return next(context);
  }

  #openWatch(
    outlet: WatchOutlet,
    { context, request, met }: { context: RequestContext; request: FaultedRequest; met: readonly Met[] },
  ): WatchOutlet {
    const { exchange } = context;
    const watch = new FaultedWatch({ outlet, request, cut: () => exchange.abort() });
    this.#watches.add(watch);
    exchange.signal.addEventListener('abort', () => this.#watches.delete(watch), { once: true });
    for (const one of met) {
      const { armed } = one;
      // Removed while the watch was being opened.
      if (!isWatchAction(armed.action) || armed.removed.signal.aborted) continue;
      this.#record(one, request);
      watch.apply(armed, armed.action);
    }
    return watch;
  }

  #meetOpenWatches(armed: ArmedRule, action: WatchAction): void {
    const { rule } = armed;
    for (const watch of [...this.#watches]) {
      if (!matchesRequest(rule.match ?? {}, watch.request) || !armed.meets()) continue;
      this.#record({ armed, match: armed.matched }, watch.request);
      watch.apply(armed, action);
    }
  }

  #record({ armed, match }: Met, request?: FaultedRequest): void {
    this.#sequence++;
    this.#log.push({ sequence: this.#sequence, rule: armed.id, action: armed.action.type, match, request });
    if (this.#log.length > 2 * maxLog) this.#log = this.#log.slice(-maxLog);
  }

  #closePort(armed: ArmedRule, ms: number): void {
    armed.meets();
    this.#record({ armed, match: armed.matched });
    this.#setListening(false);
    armed.removed.signal.addEventListener('abort', () => {
      const others = [...this.#rules.values()].some(({ action }) => action.type === 'closePort');
      if (!others) this.#setListening(true);
    });
    this.#removeAfter(armed, ms);
  }

  #removeAfter(armed: ArmedRule, ms: number): void {
    const timer = setTimeout(() => this.remove(armed.id), ms);
    armed.removed.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  }

  #nextId(): string {
    do this.#lastId++;
    while (this.#rules.has(String(this.#lastId)));
    return String(this.#lastId);
  }
}

function isAboutConnections({ type }: FaultRule['action']): boolean {
  return type === 'refuseConnections' || type === 'closePort';
}

function ends(action: FaultRule['action']): boolean {
  return action.type === 'status' || (action.type === 'drop' && action.when === 'before');
}

function requestOf({ info, user }: RequestContext): FaultedRequest {
  const { verb, path, target } = info;
  const request = { user: user?.name ?? '', verb, path };
  if (target === undefined) return request;
  const { group, resource, subresource, namespace, name } = target;
  return { ...request, target: { group, resource, subresource, namespace, name } };
}

/** Resolves after the time, if there is one, or when a signal aborts. */
function pause(ms: number | undefined, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = ms === undefined ? undefined : setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener('abort', done);
    if (signals.some(({ aborted }) => aborted)) done();
  });
}

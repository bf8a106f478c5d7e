import type { Filter, Handler } from '../http/pipeline.ts';
import { respondError } from '../http/render.ts';
import type { RequestContext } from '../http/request-context.ts';
import type { WatchOutput } from '../http/watch/watch-output.ts';
import type { MaybePromise } from '../meta/maybe-promise.ts';
import type { Storage } from '../storage/index.ts';
import { ActiveRule } from './active-rule.ts';
import { droppedExchange } from './dropped-exchange.ts';
import { faultError } from './fault-error.ts';
import type { FaultedRequest, FaultRule, InjectedFault, RuleState } from './fault-rule.ts';
import { FaultedWatch, isWatchAction, type WatchAction } from './faulted-watch.ts';
import { FaultyReads } from './faulty-reads.ts';
import { matchesRequest } from './match-request.ts';
import { parseRule } from './parse-rule.ts';

/** Paths of the test API itself, which must stay available. */
const ownPaths = '/keelson/';
const maxRules = 1000;
const maxLog = 10_000;

export interface FaultsOptions {
  readonly storage: Pick<Storage, 'latestRevision' | 'compact' | 'compactedRevision'>;
  /** The port of the server. */
  readonly port: { close(): void; open(): void };
  /** Removes all rules when it aborts. */
  readonly signal: AbortSignal;
}

/** A rule that affects a request. */
interface AppliedRule {
  readonly active: ActiveRule;
  /** The position of the request among those that match the rule, from 1. */
  readonly match: number;
}

/** The fault rules of a server, and the log of the injected faults. */
export class Faults {
  readonly #storage: FaultsOptions['storage'];
  readonly #port: FaultsOptions['port'];
  /** The rules by id, in the order in which they were added. */
  readonly #rules = new Map<string, ActiveRule>();
  readonly #watches = new Set<FaultedWatch>();
  readonly #reads: FaultyReads;
  #log: InjectedFault[] = [];
  #sequence = 0;
  #lastId = 0;

  constructor({ storage, port, signal }: FaultsOptions) {
    this.#storage = storage;
    this.#port = port;
    this.#reads = new FaultyReads(() => storage.compactedRevision());
    signal.addEventListener('abort', () => this.clear(), { once: true });
  }

  /**
   * Adds a rule, or replaces the one with its id. Rules for watches also apply to open watches. Rejects with a RangeError
   * for an invalid rule.
   */
  async add(rule: FaultRule): Promise<RuleState> {
    const parsed = parseRule(rule);
    const since = parsed.action.type === 'staleRead' ? await this.#storage.latestRevision() : 0;
    const id = parsed.id ?? this.#nextId();
    this.remove(id);
    if (this.#rules.size >= maxRules) throw new RangeError(`there are already ${maxRules} fault rules`);
    const active = new ActiveRule(id, parsed, since);
    this.#rules.set(id, active);
    const { action } = active;
    if (isWatchAction(action)) this.#applyToOpenWatches(active, action);
    if (action.type === 'refuseConnections' && action.ms !== undefined) this.#removeAfter(active, action.ms);
    if (action.type === 'closePort') this.#closePort(active, action.ms);
    return active.state;
  }

  /** Returns whether the rule existed. Held requests and events continue. */
  remove(id: string): boolean {
    const active = this.#rules.get(id);
    if (active === undefined) return false;
    this.#rules.delete(id);
    active.removed.abort();
    for (const watch of this.#watches) watch.lift(active);
    return true;
  }

  /** Removes all rules. The log stays. */
  clear(): void {
    for (const id of [...this.#rules.keys()]) this.remove(id);
  }

  list(): RuleState[] {
    return [...this.#rules.values()].map(({ state }) => state);
  }

  find(id: string): RuleState | undefined {
    return this.#rules.get(id)?.state;
  }

  /** Returns the injected faults, oldest first. The last ten thousand are kept. */
  log(): readonly InjectedFault[] {
    return [...this.#log];
  }

  clearLog(): void {
    this.#log = [];
    this.#sequence = 0;
  }

  /** Removes all history, so that watches and continue tokens of older versions get a 410. Returns the revision. */
  async compact(): Promise<number> {
    const revision = await this.#storage.latestRevision();
    await this.#storage.compact(revision);
    return revision;
  }

  /** Returns whether a new connection must be reset. */
  readonly refuses = (): boolean => {
    for (const active of this.#rules.values()) {
      if (active.action.type !== 'refuseConnections' || !active.affects()) continue;
      this.#record({ active, match: active.matched });
      return true;
    }
    return false;
  };

  /** Wraps the resources, so that faults can change the results of reads. */
  readonly resources: FaultyReads['resources'] = (inner) => this.#reads.resources(inner);

  /** Runs after authorization, so that faults reveal nothing to unauthorized clients. */
  readonly filter: Filter = (context, next) => {
    if (context.info.path.startsWith(ownPaths)) return next(context);
    const request = requestOf(context);
    const applied = this.#rulesFor(request);
    if (context.info.verb === 'watch' && context.info.target !== undefined) {
      context.interceptWatch = (output) => this.#openWatch(output, { context, request, applied });
    }
    return applied.length === 0 ? next(context) : this.#process(context, next, { applied, request });
  };

  /** Returns the rules that affect the request. All rules count it, but rules after one that ends it have no effect. */
  #rulesFor(request: FaultedRequest): AppliedRule[] {
    const applied: AppliedRule[] = [];
    for (const active of this.#rules.values()) {
      const { action, rule } = active;
      if (isAboutConnections(action) || !matchesRequest(rule.match ?? {}, request)) continue;
      if (isWatchAction(action) && request.verb !== 'watch') continue;
      if (active.affects()) applied.push({ active, match: active.matched });
    }
    const last = applied.findIndex(({ active: { action } }) => ends(action));
    return last < 0 ? applied : applied.slice(0, last + 1);
  }

  #process(
    context: RequestContext,
    next: Handler,
    { applied, request }: { applied: readonly AppliedRule[]; request: FaultedRequest },
  ): MaybePromise<void> {
    for (const one of applied) if (!isWatchAction(one.active.action)) this.#record(one, request);
    const waits = applied.filter(({ active: { action } }) => ['delay', 'hold', 'compact'].includes(action.type));
    if (waits.length === 0) return this.#act(context, next, applied);
    return this.#wait(context, waits).then(() => {
      // The deadline may have responded, or the client may have disconnected.
      if (!context.exchange.responded && !context.exchange.signal.aborted) return this.#act(context, next, applied);
    });
  }

  async #wait({ exchange: { signal } }: RequestContext, waits: readonly AppliedRule[]): Promise<void> {
    for (const { active } of waits) {
      const { action } = active;
      if (action.type === 'compact') await this.compact();
      if (action.type === 'hold') await pause(undefined, [active.removed.signal, signal]);
      if (action.type !== 'delay') continue;
      const ms = typeof action.ms === 'number' ? action.ms : active.between(action.ms);
      await pause(ms, [active.removed.signal, signal]);
    }
  }

  #act(context: RequestContext, next: Handler, applied: readonly AppliedRule[]): MaybePromise<void> {
    const { target } = context.info;
    for (const { active } of applied) {
      const { action } = active;
      if (action.type === 'status') {
        // The error is not thrown, because the server would log it as its own error.
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
        this.#reads.add(target, { revision: Number(action.resourceVersion ?? active.since) });
      }
    }
    return next(context);
  }

  #openWatch(
    output: WatchOutput,
    {
      context,
      request,
      applied,
    }: { context: RequestContext; request: FaultedRequest; applied: readonly AppliedRule[] },
  ): WatchOutput {
    const { exchange } = context;
    const watch = new FaultedWatch({ output, request, cut: () => exchange.abort() });
    this.#watches.add(watch);
    exchange.signal.addEventListener('abort', () => this.#watches.delete(watch), { once: true });
    for (const one of applied) {
      const { active } = one;
      // The rule may have been removed while the watch was being opened.
      if (!isWatchAction(active.action) || active.removed.signal.aborted) continue;
      this.#record(one, request);
      watch.apply(active, active.action);
    }
    return watch;
  }

  #applyToOpenWatches(active: ActiveRule, action: WatchAction): void {
    const { rule } = active;
    for (const watch of [...this.#watches]) {
      if (!matchesRequest(rule.match ?? {}, watch.request) || !active.affects()) continue;
      this.#record({ active, match: active.matched }, watch.request);
      watch.apply(active, action);
    }
  }

  #record({ active, match }: AppliedRule, request?: FaultedRequest): void {
    this.#sequence++;
    this.#log.push({ sequence: this.#sequence, rule: active.id, action: active.action.type, match, request });
    if (this.#log.length > 2 * maxLog) this.#log = this.#log.slice(-maxLog);
  }

  #closePort(active: ActiveRule, ms: number): void {
    active.affects();
    this.#record({ active, match: active.matched });
    this.#port.close();
    active.removed.signal.addEventListener('abort', () => {
      const others = [...this.#rules.values()].some(({ action }) => action.type === 'closePort');
      if (!others) this.#port.open();
    });
    this.#removeAfter(active, ms);
  }

  #removeAfter(active: ActiveRule, ms: number): void {
    const timer = setTimeout(() => this.remove(active.id), ms);
    active.removed.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
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

import { RequestPeaks } from '../http/observation/request-peaks.ts';
import { type Meter, noMeter } from '../meta/meter.ts';
import type { UserInfo } from '../meta/user.ts';
import type { FlowSchema } from '../resources/flowcontrol/flow-schema-types.ts';
import type { PriorityLevelConfiguration } from '../resources/flowcontrol/priority-level-types.ts';
import { FlowMeter, type LevelNumbers } from './flow-meter.ts';
import { adjustSeats } from './levels/borrowing.ts';
import type { LevelSeats } from './levels/level-seats.ts';
import { PriorityLevel } from './levels/priority-level.ts';
import { seatShares } from './levels/seat-shares.ts';
import { Classifier, type RequestTraits } from './matching/classifier.ts';
import { mandatoryObjects } from './objects/default-objects.ts';
import { nameOf } from './objects/flow-objects.ts';
import { Pacer } from './pacer.ts';
import { ServedSchema } from './served-schema.ts';

export interface FlowControlOptions {
  /** The seats of the server, which the levels share. */
  readonly seats: number;
  /** Monotonic, in milliseconds. */
  readonly now?: () => number;
  /** Calls back in the next turn of the event loop. */
  readonly nextTurn?: (callback: () => void) => void;
  readonly meter?: Meter;
  /** The seats that the threads of a server share. */
  readonly shared?: LevelSeats | undefined;
}

const lastResort = 'catch-all';
/** How often seats are redistributed, in milliseconds. */
const adjustmentMs = 10_000;

/** The flow schemas and priority levels of a server, as currently configured. */
export class FlowControl {
  readonly pacer: Pacer;
  /** The requests that wait in queues. */
  readonly waiting: RequestPeaks;
  readonly now: () => number;
  readonly #seats: number;
  readonly #shared: LevelSeats | undefined;
  readonly #meter: FlowMeter;
  readonly #schemaObjects = new Map<string, FlowSchema>();
  readonly #levelObjects = new Map<string, PriorityLevelConfiguration>();
  readonly #levels = new Map<string, PriorityLevel>();
  #schemas = new Map<string, ServedSchema>();
  #isAwaiting = false;
  /** Undefined after a change, until the next use. */
  #classifier: Classifier<ServedSchema> | undefined;

  constructor({ seats, now = () => performance.now(), nextTurn, meter = noMeter, shared }: FlowControlOptions) {
    this.#seats = seats;
    this.#shared = shared;
    this.now = now;
    this.pacer = new Pacer({ levels: () => this.#levels.values(), ...(nextTurn && { nextTurn }) });
    this.waiting = new RequestPeaks(meter, {
      name: 'apiserver_current_inqueue_requests',
      help: 'Most requests that waited in queues at a time within the last second, by what they may do.',
    });
    this.#meter = new FlowMeter(meter, () => this.#numbers());
  }

  /** Lends and takes back seats until the signal aborts. */
  start(signal: AbortSignal): void {
    const timer = setInterval(() => this.adjust(), adjustmentMs).unref();
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  }

  /** Called when a request waits. While requests wait, the thread checks for seats that other threads release. */
  async awaitSharedSeats(): Promise<void> {
    if (this.#shared === undefined || this.#isAwaiting) return;
    this.#isAwaiting = true;
    try {
      while (this.#hasWaiting()) {
        const isFair = await this.#shared.woken();
        for (const level of this.#levels.values()) level.queues.dispatchShared({ isFair });
      }
    } finally {
      this.#isAwaiting = false;
    }
  }

  #hasWaiting(): boolean {
    for (const { queues } of this.#levels.values()) if (queues.waiting > 0) return true;
    return false;
  }

  putSchema(schema: FlowSchema): void {
    this.#schemaObjects.set(nameOf(schema), schema);
    this.#classifier = undefined;
  }

  removeSchema(name: string): void {
    this.#schemaObjects.delete(name);
    this.#classifier = undefined;
  }

  removeSchemas(): void {
    this.#schemaObjects.clear();
    this.#classifier = undefined;
  }

  putLevel(level: PriorityLevelConfiguration): void {
    this.#levelObjects.set(nameOf(level), level);
    this.#classifier = undefined;
  }

  removeLevel(name: string): void {
    this.#levelObjects.delete(name);
    this.#classifier = undefined;
  }

  removeLevels(): void {
    this.#levelObjects.clear();
    this.#classifier = undefined;
  }

  /** Whether schemas may refer to the level. The mandatory levels need no object. */
  hasLevel(name: string): boolean {
    return this.#levelObjects.has(name) || mandatoryObjects.levels.some((level) => nameOf(level) === name);
  }

  /** The schemas by name. The map is live. */
  get schemas(): ReadonlyMap<string, FlowSchema> {
    return this.#schemaObjects;
  }

  /** The levels sorted by name, including those that are being removed. */
  get levels(): PriorityLevel[] {
    this.#digested();
    return [...this.#levels.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The schema that a request belongs to. */
  classify(user: UserInfo, request: RequestTraits): ServedSchema {
    return (this.#classifier ?? this.#digested()).classify(user, request);
  }

  /** Divides the seats among the levels by their demand since the last call. */
  adjust(): void {
    this.#digested();
    const now = this.now();
    const limited: PriorityLevel[] = [];
    let seats = 0;
    for (const [name, level] of this.#levels) {
      this.#endIfUnused(name, level);
      level.observeDemand(now);
      seats += level.share.nominal;
      if (level.isExempt) seats -= Math.max(level.share.lowest, level.demand.highest);
      else limited.push(level);
    }
    const adjusted = adjustSeats(limited, Math.max(0, seats));
    for (const [index, level] of limited.entries()) {
      level.target = adjusted.targets[index]!;
      level.limit(adjusted.seats[index]!);
    }
    this.#meter.adjusted(adjusted.fairFraction);
  }

  /** Applies the current objects. Cheap, and done once for many changes. */
  #digested(): Classifier<ServedSchema> {
    if (this.#classifier !== undefined) return this.#classifier;
    const levels = withMandatory(this.#levelObjects, mandatoryObjects.levels);
    for (const level of this.#levels.values()) level.isQuiescing = true;
    const shares = seatShares(levels, this.#seats);
    for (const [index, object] of levels.entries()) this.#level(nameOf(object)).configure(object, shares[index]!);
    this.#endUnused();
    const schemas = withMandatory(this.#schemaObjects, mandatoryObjects.schemas).sort(byPrecedence);
    this.#schemas = new Map(
      schemas.flatMap((object) => {
        const served = this.#served(object);
        return served === undefined ? [] : [[served.name, served]];
      }),
    );
    this.#classifier = new Classifier([...this.#schemas.values()], this.#schemas.get(lastResort)!);
    return this.#classifier;
  }

  #level(name: string): PriorityLevel {
    const known = this.#levels.get(name);
    if (known !== undefined) return known;
    const { isPaused } = this.pacer;
    const level = new PriorityLevel(name, { now: this.now, isPaused, seats: this.#shared });
    this.#levels.set(name, level);
    return level;
  }

  #endUnused(): void {
    for (const [name, level] of this.#levels) this.#endIfUnused(name, level);
  }

  #endIfUnused(name: string, level: PriorityLevel): void {
    if (!level.isQuiescing || !level.isIdle) return;
    this.#levels.delete(name);
    level.end();
  }

  /** Returns undefined for a schema whose level does not exist. An unchanged schema keeps its flows. */
  #served(object: FlowSchema): ServedSchema | undefined {
    const level = this.#levels.get(object.spec?.priorityLevelConfiguration?.name ?? '');
    if (level === undefined || level.isQuiescing) return undefined;
    const name = nameOf(object);
    const known = this.#schemas.get(name);
    if (known?.object === object && known.level === level) return known;
    return new ServedSchema(object, level, this.#meter.schema(level.name, name));
  }

  #numbers(): LevelNumbers[] {
    return this.levels.map(({ name, share, queues, exempted, isExempt, seats, target, demand }) => ({
      name,
      ...share,
      current: isExempt ? share.nominal : seats,
      seatsInUse: isExempt ? exempted : queues.seatsInUse,
      seatsWaiting: queues.seatsWaiting,
      target,
      smoothedDemand: demand.smoothed,
    }));
  }
}

/** Returns the objects, and the mandatory objects that are missing. */
function withMandatory<T extends FlowSchema | PriorityLevelConfiguration>(
  objects: ReadonlyMap<string, T>,
  mandatory: readonly T[],
): T[] {
  return [...objects.values(), ...mandatory.filter((object) => !objects.has(nameOf(object)))];
}

function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const order = (a.spec?.matchingPrecedence ?? 1000) - (b.spec?.matchingPrecedence ?? 1000);
  return order !== 0 ? order : nameOf(a) < nameOf(b) ? -1 : 1;
}

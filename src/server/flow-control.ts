import type { CreateDefault } from '../bootstrap/ensure-object.ts';
import type { Client } from '../client/index.ts';
import {
  DebugPages,
  ensureDefaultObjects,
  type FindLoad,
  FlowControl,
  type FlowSchema,
  FlowSchemaConditions,
  type FlowState,
  flowControlFilter,
  flowSchemas,
  flowState,
  flowStateOfAll,
  type InFlightCounts,
  inFlightLimit,
  type LevelSeats,
  nameOf,
  type PriorityLevelConfiguration,
  priorityLevels,
  RunningRequests,
} from '../flow-control/index.ts';
import type { PathHandler } from '../http/api-route.ts';
import type { Filter } from '../http/pipeline.ts';
import type { Meter } from '../meta/meter.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { ResolvedOptions } from './options.ts';

export interface ServerFlowControl {
  readonly filter: Filter;
  /** Empty without priority and fairness. */
  readonly pages: readonly PathHandler[];
  /** The current state of this thread. */
  readonly state: () => FlowState;
  /** Post-start hooks, by the names of their health checks. */
  readonly hooks: { readonly consumer: PostStartHook; readonly producer: PostStartHook };
}

type PostStartHook = Readonly<Record<string, () => Promise<void>>>;

export interface FlowControlDependencies {
  readonly options: ResolvedOptions;
  readonly resources: ResourceSet;
  /** Receives the metrics of flow control. */
  readonly meter?: Meter;
  /** The threads that share the limits. */
  readonly others?: OtherThreadFlows | undefined;
  /** Whether the store is a copy, so that the default objects exist already. */
  readonly isCopy?: boolean;
  /** Called by the hooks. */
  readonly client: () => Client;
  /** Creates the default objects at the first start. Default: requests. */
  readonly createDefault?: CreateDefault | undefined;
  readonly signal: AbortSignal;
}

/** The other threads of a server. */
export interface OtherThreadFlows {
  /** The requests of all threads, for limits without priority and fairness. */
  readonly inFlight: InFlightCounts;
  /** The seats of all threads. */
  readonly seats: LevelSeats;
  /** The current state of the other threads. */
  flowStates(): Promise<readonly FlowState[]>;
}

/** How often the default objects are reconciled, in milliseconds. */
const maintenanceMs = 60_000;

const noHooks = { consumer: {}, producer: {} };

/** Builds the limits of requests. Resolves when the existing flow schemas and priority levels are loaded. */
export async function serverFlowControl(dependencies: FlowControlDependencies): Promise<ServerFlowControl> {
  const { options, resources, meter, others, signal } = dependencies;
  const { maxRequestsInFlight, maxMutatingRequestsInFlight, requestTimeoutMs } = options;
  if (!options.enablePriorityAndFairness) {
    const state = (): FlowState => ({ levels: [], requests: [] });
    return { filter: inFlightLimit(options, others?.inFlight), pages: [], state, hooks: noHooks };
  }
  const control = new FlowControl({
    seats: maxRequestsInFlight + maxMutatingRequestsInFlight,
    ...(meter && { meter }),
    shared: others?.seats,
  });
  const running = new RunningRequests();
  const findLoad: FindLoad = (target) => resources.load(target, target.namespace);
  control.start(signal);
  const state = (): FlowState => flowState(control, running);
  const stateOfAll = async (): Promise<FlowState> => flowStateOfAll([state(), ...((await others?.flowStates()) ?? [])]);
  return {
    filter: flowControlFilter({ control, running, requestTimeoutMs, findLoad, sharesClock: true }),
    pages: [new DebugPages(stateOfAll)],
    state,
    // If these types are not served, all requests belong to the level that has no object.
    hooks: resources.find(flowSchemas) === undefined ? noHooks : await followObjects(control, dependencies),
  };
}

/** Uses the stored objects. The hooks create and maintain the default ones. */
async function followObjects(
  control: FlowControl,
  { options, resources, client, createDefault, isCopy = false, signal }: FlowControlDependencies,
): Promise<ServerFlowControl['hooks']> {
  const report = (err: Error): void => options.log.error('flow control failed', { err });
  let conditions: FlowSchemaConditions | undefined;
  const follower = { onError: report, signal };
  await resources.follow(priorityLevels, {
    ...follower,
    onReset: () => control.removeLevels(),
    onPut: (level: PriorityLevelConfiguration) => {
      const isNew = !control.hasLevel(nameOf(level));
      control.putLevel(level);
      if (isNew) conditions?.levelChanged(nameOf(level));
    },
    onRemove: (level) => {
      control.removeLevel(nameOf(level));
      conditions?.levelChanged(nameOf(level));
    },
  });
  await resources.follow(flowSchemas, {
    ...follower,
    onReset: () => control.removeSchemas(),
    onPut: (schema: FlowSchema) => {
      control.putSchema(schema);
      conditions?.schemaChanged(nameOf(schema));
    },
    onRemove: (schema) => control.removeSchema(nameOf(schema)),
  });
  const produced = Promise.withResolvers<void>();
  const maintain = (create?: CreateDefault): Promise<void> => ensureDefaultObjects(client(), create);
  return {
    producer: {
      'priority-and-fairness-config-producer': () => {
        const timer = setInterval(() => void maintain().catch(report), maintenanceMs).unref();
        signal.addEventListener('abort', () => clearInterval(timer), { once: true });
        return (isCopy ? Promise.resolve() : maintain(createDefault)).finally(() => produced.resolve());
      },
    },
    consumer: {
      'priority-and-fairness-config-consumer': async () => {
        const { schemas } = control;
        const hasLevel = (name: string): boolean => control.hasLevel(name);
        conditions = new FlowSchemaConditions(
          { client: client(), schemas, hasLevel, report, clock: options.clock },
          signal,
        );
        for (const name of schemas.keys()) conditions.schemaChanged(name);
        await produced.promise;
        await conditions.settled();
      },
    },
  };
}

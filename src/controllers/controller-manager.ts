import {
  ApiError,
  Backoff,
  type Client,
  Discovery,
  InformerFactory,
  pause,
  WorkQueue,
  type WorkQueueMetrics,
} from '../client/index.ts';
import { type Clock, systemClock } from '../meta/clock.ts';
import type { Controller, ControllerTools } from './controller.ts';
import { type LeaderElectionOptions, whileLeading } from './leader-election.ts';

export interface ControllerManagerOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  /** Identifies this process in the lease. */
  readonly identity: string;
  /** The version of the product, for the user agent. */
  readonly version: string;
  readonly report: (error: Error, controller: string) => void;
  /** Absent when metrics are off. */
  readonly queueMetrics?: WorkQueueMetrics;
  /** Default: the clock of the machine. */
  readonly clock?: Clock | undefined;
  /**
   * Returns a different number after the store was restored to an earlier state. Default: the store is never restored.
   */
  readonly storeState?: () => number;
  /** Called with every queue of a controller. */
  readonly onQueue?: ((name: string, queue: WorkQueue) => void) | undefined;
  readonly election?: Pick<LeaderElectionOptions, 'isAlone' | 'timings'>;
}

const leaseName = 'keelson-controllers';
/** The field manager of what controllers write. */
export const controllersManager = leaseName;

/**
 * Runs the controllers while this process holds the lease. Settles after the abort, when all controllers have settled
 * and the lease is released, so that another server can take over at once.
 */
export async function runControllers(options: ControllerManagerOptions, signal: AbortSignal): Promise<void> {
  const { client, controllers, identity, report, clock, election } = options;
  if (controllers.length === 0) return;
  const named = client.as(userAgent(options, 'leader-election'));
  await whileLeading(
    {
      client: named,
      namespace: 'kube-system',
      name: leaseName,
      identity,
      report: (error) => report(error, 'leader-election'),
      clock,
      ...election,
    },
    (term) => runAll(options, term),
    signal,
  );
}

/** The part before the slash is the field manager. */
function userAgent({ version }: ControllerManagerOptions, name: string): string {
  return `${controllersManager}/${version} ${name}`;
}

async function runAll(options: ControllerManagerOptions, signal: AbortSignal): Promise<void> {
  const { client, controllers, report, queueMetrics, clock = systemClock, storeState = () => 0, onQueue } = options;
  const informers = new InformerFactory({
    client: client.as(userAgent(options, 'informers')),
    report: (error) => report(error, 'informers'),
    signal,
  });
  const discovery = new Discovery(client.as(userAgent(options, 'discovery')));
  await Promise.all(
    controllers.map(async (controller) => {
      const { name } = controller;
      const tools = {
        client: client.as(userAgent(options, name)),
        informers,
        discovery,
        clock,
        storeState,
        report: (error: Error) => report(error, name),
      };
      await keepRunning(controller, { tools, queueMetrics, onQueue }, signal);
    }),
  );
  await informers.stopped();
}

interface RunOptions {
  readonly tools: Omit<ControllerTools, 'queue'>;
  readonly queueMetrics: WorkQueueMetrics | undefined;
  readonly onQueue: ControllerManagerOptions['onQueue'];
}

async function keepRunning(controller: Controller, options: RunOptions, signal: AbortSignal): Promise<void> {
  const backoff = new Backoff({ initialMs: 100, maxMs: 30_000 });
  while (!signal.aborted) {
    await runOnce(controller, options, signal);
    await pause(backoff.next(), signal);
  }
}

/** Runs the controller once and waits until its queues are idle. */
async function runOnce(
  controller: Controller,
  { tools, queueMetrics, onQueue }: RunOptions,
  signal: AbortSignal,
): Promise<void> {
  const { report } = tools;
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const queues: WorkQueue[] = [];
  const queue: ControllerTools['queue'] = (work, given = {}) => {
    const reportFailure = (error: Error): void => {
      if (!isLostRace(error)) report(error);
    };
    const name = queues.length === 0 ? controller.name : `${controller.name}-${queues.length + 1}`;
    const metrics = queueMetrics?.of(name);
    const made = new WorkQueue(work, { report: reportFailure, metrics, ...given }, either);
    queues.push(made);
    onQueue?.(name, made);
    return made;
  };
  try {
    await controller.run({ ...tools, queue }, either);
  } catch (error) {
    if (!signal.aborted) report(error as Error);
  }
  end.abort();
  await Promise.all(queues.map((each) => each.idle()));
}

function isLostRace(error: unknown): boolean {
  return error instanceof ApiError && error.code === 409;
}

/**
 * Selects controllers by a list of names: `*` enables all that are not named, `x` enables x and `-x` disables it. The
 * first entry that names a controller counts. Throws a RangeError for unknown names.
 */
export function selectControllers(names: readonly string[], controllers: readonly Controller[]): Controller[] {
  const known = new Set(controllers.flatMap(({ name, aliases = [] }) => [name, ...aliases]));
  for (const entry of names) {
    if (entry !== '*' && !known.has(plainName(entry))) {
      throw new RangeError(`${JSON.stringify(plainName(entry))} is not in the list of known controllers`);
    }
  }
  return controllers.filter(({ name, aliases = [] }) => {
    const entry = names.find((candidate) => candidate !== '*' && [name, ...aliases].includes(plainName(candidate)));
    return entry === undefined ? names.includes('*') : !entry.startsWith('-');
  });
}

function plainName(entry: string): string {
  return entry.startsWith('-') ? entry.slice(1) : entry;
}

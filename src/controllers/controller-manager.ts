import { ApiError, Backoff, type Client, Discovery, InformerFactory, pause, WorkQueue } from '../client/index.ts';
import type { Controller, ControllerTools } from './controller.ts';
import { type LeaderElectionOptions, whileLeading } from './leader-election.ts';

export interface ControllerManagerOptions {
  readonly client: Client;
  readonly controllers: readonly Controller[];
  /** Of this process among all that may run the controllers. */
  readonly identity: string;
  /** Of the product, for those who read who has sent a request. */
  readonly version: string;
  readonly report: (error: Error, controller: string) => void;
  readonly election?: Pick<LeaderElectionOptions, 'isAlone' | 'timings'>;
}

const leaseName = 'keelson-controllers';

/**
 * Runs the controllers as long as no other server does. Settles after the abort, when all of them have, and another server may
 * take over at once.
 */
export async function runControllers(options: ControllerManagerOptions, signal: AbortSignal): Promise<void> {
  const { client, controllers, identity, report, election } = options;
  if (controllers.length === 0) return;
  const named = client.as(userAgent(options, 'leader-election'));
  await whileLeading(
    {
      client: named,
      namespace: 'kube-system',
      name: leaseName,
      identity,
      report: (error) => report(error, 'leader-election'),
      ...election,
    },
    (term) => runAll(options, term),
    signal,
  );
}

/** Becomes the manager of what controllers write: the part before the slash. */
function userAgent({ version }: ControllerManagerOptions, name: string): string {
  return `${leaseName}/${version} ${name}`;
}

async function runAll(options: ControllerManagerOptions, signal: AbortSignal): Promise<void> {
  const { client, controllers, report } = options;
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
        report: (error: Error) => report(error, name),
      };
      await keepRunning(controller, tools, signal);
    }),
  );
  await informers.stopped();
}

async function keepRunning(
  controller: Controller,
  tools: Omit<ControllerTools, 'queue'>,
  signal: AbortSignal,
): Promise<void> {
  const backoff = new Backoff({ initialMs: 100, maximumMs: 30_000 });
  while (!signal.aborted) {
    await runOnce(controller, tools, signal);
    await pause(backoff.next(), signal);
  }
}

/** One run and its queues, to the end of both. */
async function runOnce(
  controller: Controller,
  tools: Omit<ControllerTools, 'queue'>,
  signal: AbortSignal,
): Promise<void> {
  const { report } = tools;
  const end = new AbortController();
  const either = AbortSignal.any([signal, end.signal]);
  const queues: WorkQueue[] = [];
  const queue: ControllerTools['queue'] = (work, { workers } = {}) => {
    const reportFailure = (error: Error): void => {
      if (!isLostRace(error)) report(error);
    };
    const made = new WorkQueue(work, { report: reportFailure, ...(workers !== undefined && { workers }) }, either);
    queues.push(made);
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

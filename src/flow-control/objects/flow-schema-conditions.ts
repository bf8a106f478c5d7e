import type { DefaultObject } from '../../bootstrap/ensure-object.ts';
import { ApiError, type Client, WorkQueue } from '../../client/index.ts';
import { type Clock, systemClock, timestamp } from '../../meta/clock.ts';
import { goQuote } from '../../meta/go-quote.ts';
import type { FlowSchema, FlowSchemaCondition } from '../../resources/flowcontrol/flow-schema-types.ts';
import { flowSchemas } from './flow-objects.ts';

export interface FlowSchemaConditionsOptions {
  readonly client: Client;
  /** The current schemas by name. */
  readonly schemas: ReadonlyMap<string, FlowSchema>;
  readonly hasLevel: (name: string) => boolean;
  readonly report: (error: Error) => void;
  /** Default: the clock of the machine. */
  readonly clock?: Clock;
}

/** The field manager of the conditions. */
const fieldManager = 'api-priority-and-fairness-config-consumer-v1';

/**
 * The status of a new schema whose level exists, and its field manager. The time is replaced by the creation time. It is
 * always the same, so that an object that was prepared earlier can be found.
 */
export function levelFound(schema: FlowSchema): NonNullable<DefaultObject['status']> {
  const lastTransitionTime = '1970-01-01T00:00:00Z';
  return { value: { conditions: [{ ...found(levelOf(schema)), lastTransitionTime }] }, fieldManager };
}

/** Maintains the condition `Dangling` of each flow schema, which shows whether its priority level is missing. */
export class FlowSchemaConditions {
  readonly #options: FlowSchemaConditionsOptions;
  readonly #queue: WorkQueue;

  constructor(options: FlowSchemaConditionsOptions, signal: AbortSignal) {
    this.#options = options;
    const report = (error: Error): void => {
      if (!isGone(error)) options.report(error);
    };
    this.#queue = new WorkQueue((name) => this.#reconcile(name), { report, workers: 16 }, signal);
  }

  /** A schema was created or changed. */
  schemaChanged(name: string): void {
    this.#queue.add(name);
  }

  /** A level was created or deleted. */
  levelChanged(level: string): void {
    for (const [name, schema] of this.#options.schemas) if (levelOf(schema) === level) this.#queue.add(name);
  }

  /** Resolves when all conditions are written. */
  settled(): Promise<void> {
    return this.#queue.idle();
  }

  async #reconcile(name: string): Promise<void> {
    const { client, schemas, hasLevel, clock = systemClock } = this.#options;
    const schema = schemas.get(name);
    if (schema === undefined) return;
    const level = levelOf(schema);
    const wanted = hasLevel(level) ? found(level) : notFound(level);
    const present = schema.status?.conditions?.find(({ type }) => type === wanted.type);
    if (present !== undefined && isSame(present, wanted)) return;
    const lastTransitionTime = timestamp(clock);
    await client.resource(flowSchemas).patchOnly(
      name,
      {
        apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
        kind: 'FlowSchema',
        // The uid prevents writing the condition to an object that was recreated with the same name.
        metadata: { name, uid: schema.metadata.uid },
        status: { conditions: [{ ...wanted, lastTransitionTime }] },
      },
      { type: 'apply', subresource: 'status', fieldManager, force: true },
    );
  }
}

function levelOf({ spec }: FlowSchema): string {
  return spec?.priorityLevelConfiguration?.name ?? '';
}

const reference = (level: string): string =>
  `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`;

function found(level: string): FlowSchemaCondition {
  return { type: 'Dangling', status: 'False', reason: 'Found', message: `${reference(level)} and it exists` };
}

function notFound(level: string): FlowSchemaCondition {
  return {
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message: `${reference(level)} but there is no such object`,
  };
}

function isSame(a: FlowSchemaCondition, b: FlowSchemaCondition): boolean {
  return a.status === b.status && a.reason === b.reason && a.message === b.message;
}

function isGone(error: Error): boolean {
  return error instanceof ApiError && ['NotFound', 'Conflict'].includes(error.status?.reason ?? '');
}

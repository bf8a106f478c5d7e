import type { GroupResource } from '../meta/group-version.ts';

/** The scope of creates: a namespace, or all objects of one type. */
export type CreateScope = { readonly namespace: string } | { readonly type: GroupResource };

/** A write in flight that may create an object. */
interface RunningCreate {
  readonly type: GroupResource;
  readonly namespace: string;
  /** Called at the end. */
  onEnd: (() => void)[] | undefined;
}

/**
 * The writes in flight that may create an object. A write is checked when it starts, but its namespace or type may be
 * deleted while a webhook delays it. A deleted namespace or type may be removed only when these writes have ended.
 */
export class RunningCreates {
  readonly #running = new Set<RunningCreate>();

  /** Must be called before the namespace and the type are checked. */
  begin(type: GroupResource, namespace: string): RunningCreate {
    const create = { type, namespace, onEnd: undefined };
    this.#running.add(create);
    return create;
  }

  end(create: RunningCreate): void {
    this.#running.delete(create);
    for (const notify of create.onEnd ?? []) notify();
  }

  /** Resolves when all running writes in the scope have ended. */
  async ended(scope: CreateScope): Promise<void> {
    const ends: Promise<void>[] = [];
    for (const create of this.#running) {
      if (!isIn(create, scope)) continue;
      ends.push(
        new Promise((resolve) => {
          create.onEnd ??= [];
          create.onEnd.push(resolve);
        }),
      );
    }
    await Promise.all(ends);
  }
}

function isIn({ type, namespace }: RunningCreate, scope: CreateScope): boolean {
  if ('namespace' in scope) return namespace === scope.namespace;
  return type.group === scope.type.group && type.resource === scope.type.resource;
}

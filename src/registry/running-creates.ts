import type { GroupResource } from '../meta/group-version.ts';

/** Where objects are created: in a namespace, or anywhere of one type. */
export type CreateScope = { readonly namespace: string } | { readonly type: GroupResource };

/** A write in flight that may create an object. */
interface RunningCreate {
  readonly type: GroupResource;
  readonly namespace: string;
  /** Called at the end. */
  onEnd: (() => void)[] | undefined;
}

/**
 * The writes in flight that may create an object. A write is checked at its begin: its namespace or its type may be
 * deleted while a webhook delays it. What is deleted may only disappear when these writes have ended.
 */
export class RunningCreates {
  readonly #running = new Set<RunningCreate>();

  /** To be called before the namespace and the type are checked. */
  begin(type: GroupResource, namespace: string): RunningCreate {
    const create = { type, namespace, onEnd: undefined };
    this.#running.add(create);
    return create;
  }

  end(create: RunningCreate): void {
    this.#running.delete(create);
    for (const tell of create.onEnd ?? []) tell();
  }

  /** Resolves when those in the scope have ended that have begun. */
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

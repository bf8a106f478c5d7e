import { controllersManager, inNamespace, type KeptObject } from '../controllers/index.ts';
import type { ResourceObject } from '../meta/object.ts';
import { StatusError } from '../meta/status-error.ts';
import { serverUser } from '../meta/user.ts';
import type { ResourceSet } from '../registry/index.ts';
import type { FinishTransaction, ObjectTransactions, TransactionOptions } from '../registry/object-transactions.ts';

/**
 * How long the create of a namespace waits for its contents. Webhooks may delay them. Controllers add the missing
 * objects later.
 */
const maxWaitMs = 5_000;
const writer = { user: serverUser, fieldManager: controllersManager };

export interface NamespaceContentsOptions {
  readonly resources: ResourceSet;
  /** Objects that controllers maintain in every namespace. */
  readonly kept: readonly KeptObject[];
  readonly onError: (error: Error) => void;
}

/**
 * Creates the objects that every namespace contains together with the namespace, so that pods can be created right
 * after it.
 */
export class NamespaceContents implements ObjectTransactions {
  readonly #options: NamespaceContentsOptions;

  constructor(options: NamespaceContentsOptions) {
    this.#options = options;
  }

  beginCreate({ metadata: { name = '' } }: ResourceObject, _options: TransactionOptions): FinishTransaction {
    return async ({ committed }) => {
      if (committed) await withinTime(Promise.all(this.#options.kept.map((kept) => this.#create(kept, name))));
    };
  }

  beginUpdate(): FinishTransaction {
    return () => {};
  }

  afterDelete(): void {}

  afterUnreadableDelete(): void {}

  async #create(kept: KeptObject, namespace: string): Promise<void> {
    const { resources, onError } = this.#options;
    try {
      await resources.create(kept.type, inNamespace(kept, namespace), writer);
    } catch (error) {
      // A controller has created the object first, the namespace was deleted, or a policy refuses the object.
      if (!(error instanceof StatusError)) onError(error as Error);
    }
  }
}

async function withinTime(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs);
  });
  await Promise.race([work, expired]);
  clearTimeout(timer);
}

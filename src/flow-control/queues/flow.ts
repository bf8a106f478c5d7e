import { createHash } from 'node:crypto';

/**
 * The requests of one flow schema with the same distinguisher, such as those of one user. `Q` are the queues of its
 * level.
 */
export class Flow<Q = never> {
  readonly schema: string;
  readonly distinguisher: string;
  /** The queues that the flow uses, chosen from the queues of the level. */
  hand: readonly Q[] = [];
  deck: object | undefined = undefined;

  constructor(schema: string, distinguisher: string) {
    this.schema = schema;
    this.distinguisher = distinguisher;
  }

  /** The hash is the same on all servers, so that a flow has the same queues everywhere. */
  get hash(): bigint {
    const digest = createHash('sha256')
      .update(JSON.stringify([this.schema, this.distinguisher]))
      .digest();
    return digest.readBigUInt64LE();
  }
}

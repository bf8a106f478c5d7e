import { type GroupResource, qualifiedResource } from '../meta/group-version.ts';
import { StatusError } from '../meta/status-error.ts';
import { keyOrder } from '../storage/key-order.ts';

/** Maximum number of keys listed in a response. */
const maxCauses = 100;

/** A stored object that cannot be decoded. */
export class CorruptObject {
  readonly key: string;
  /** The sort key, see `keyOrder`. */
  readonly order: string;
  /** The revision of the commit that wrote the value. */
  readonly revision: number;
  readonly reason: string;

  constructor({ key, revision, reason }: { key: string; revision: number; reason: string }) {
    this.key = key;
    this.order = keyOrder(key);
    this.revision = revision;
    this.reason = reason;
  }
}

/** Lists the keys that cannot be read, with the same message texts as kube-apiserver. */
export class CorruptObjectError extends StatusError {
  readonly objects: readonly CorruptObject[];

  /** `keyOrPrefix` is the requested key or prefix. */
  constructor(
    objects: readonly CorruptObject[],
    { resource, keyOrPrefix }: { resource: GroupResource; keyOrPrefix: string },
  ) {
    const { group, resource: kind } = resource;
    const named = objects.slice(0, maxCauses);
    const causes = named.map(({ key, revision, reason }) => ({
      reason: 'UnexpectedServerResponse',
      message: `StorageError: corrupt object, Code: 7, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: object not decodable revision=${revision}: ${reason}`,
      field: key,
    }));
    if (named.length < objects.length) {
      causes.push({ reason: 'FieldValueTooMany', message: 'too many errors, the list is truncated', field: '' });
    }
    const first = objects[0]!;
    const others = objects.length > 1 ? `, and ${objects.length - 1} more` : '';
    super({
      code: 500,
      reason: 'StorageReadError',
      // The message also contains the key, because many clients show nothing but the message.
      message: `failed to read one or more ${qualifiedResource(resource)} from the storage: ${first.key}: ${first.reason}${others}`,
      details: { name: keyOrPrefix, ...(group !== '' && { group }), kind, causes },
    });
    this.objects = objects;
  }
}

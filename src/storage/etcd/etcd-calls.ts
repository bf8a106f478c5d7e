import { isLeaseExisting } from './etcd-failure.ts';
import type { MemberCall } from './member.ts';
import type { Members } from './members.ts';
import {
  decodeAlarms,
  decodeRange,
  decodeStatus,
  decodeTxn,
  encodeCompaction,
  encodeLeaseGrant,
  encodeRange,
  encodeTxn,
  ignoreResponse,
  type RangeRequest,
  type RangeResponse,
  type StatusResponse,
  type TxnRequest,
  type TxnResponse,
} from './messages.ts';

/** The calls of etcd's API that a store uses. They go to any of the members and reject with a StorageError. */
export class EtcdCalls {
  readonly #members: Members;

  constructor(members: Members) {
    this.#members = members;
  }

  range(request: RangeRequest, signal?: AbortSignal): Promise<RangeResponse> {
    const call = { method: '/etcdserverpb.KV/Range', request: [encodeRange(request)], decode: decodeRange };
    return this.#members.call(signal === undefined ? call : { ...call, signal });
  }

  txn(request: TxnRequest): Promise<TxnResponse> {
    return this.#members.call({
      method: '/etcdserverpb.KV/Txn',
      request: encodeTxn(request),
      decode: decodeTxn,
      write: true,
    });
  }

  async compact(revision: number): Promise<void> {
    const request = [encodeCompaction(revision)];
    await this.#members.call({ method: '/etcdserverpb.KV/Compact', request, decode: ignoreResponse });
  }

  async grantLease(lease: { readonly id: number; readonly seconds: number }): Promise<void> {
    const request = [encodeLeaseGrant(lease)];
    try {
      await this.#members.call({ method: '/etcdserverpb.Lease/LeaseGrant', request, decode: ignoreResponse });
    } catch (error) {
      // The lease exists because the call was repeated after its first response had been lost.
      if (!isLeaseExisting((error as Error).cause)) throw error;
    }
  }

  /** Returns the types of the active alarms. The request goes through the log of the cluster like a write. */
  alarms(signal: AbortSignal): Promise<readonly number[]> {
    const call = { method: '/etcdserverpb.Maintenance/Alarm', request: [], decode: decodeAlarms };
    return this.#members.call({ ...call, signal });
  }

  status(): Promise<StatusResponse> {
    return this.#members.call(statusCall());
  }
}

/** The call that reads the status of a member. */
export function statusCall(): MemberCall<StatusResponse> {
  return { method: '/etcdserverpb.Maintenance/Status', request: [], decode: decodeStatus };
}

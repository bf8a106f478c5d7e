import { randomUUID } from 'node:crypto';
import type { Client, ServiceError } from '@grpc/grpc-js';
import type { KmsConfiguration } from '../configuration/encryption-configuration.ts';
import { type ByteMap, type MessageCodec, messageCodec } from './message.ts';

/** The methods of `v2.KeyManagementService`, which plugins serve on a unix socket. */
export interface KmsService {
  status(): Promise<KmsStatus>;
  encrypt(plaintext: Buffer): Promise<KmsCiphertext>;
  decrypt(ciphertext: KmsCiphertext): Promise<Buffer>;
  close(): void;
}

export interface KmsStatus {
  readonly version: string;
  readonly healthz: string;
  readonly keyId: string;
}

export interface KmsCiphertext {
  readonly ciphertext: Buffer;
  readonly keyId: string;
  readonly annotations: ByteMap;
}

/** A failed call, with the messages of Go's library. */
export class KmsCallError extends Error {
  /** A retry may succeed, because the plugin was not reached or timed out. */
  readonly isTransient: boolean;
  /** The code of gRPC, as Go names it. */
  readonly code: string;

  constructor(
    message: string,
    { isTransient, code, cause }: { readonly isTransient: boolean; readonly code: string; readonly cause: unknown },
  ) {
    super(message, { cause });
    this.isTransient = isTransient;
    this.code = code;
  }
}

const statusRequest = messageCodec('StatusRequest', {});
const statusResponse = messageCodec('StatusResponse', {
  version: [1, 'text'],
  healthz: [2, 'text'],
  keyId: [3, 'text'],
});
const encryptRequest = messageCodec('EncryptRequest', { plaintext: [1, 'bytes'], uid: [2, 'text'] });
const encryptResponse = messageCodec('EncryptResponse', {
  ciphertext: [1, 'bytes'],
  keyId: [2, 'text'],
  annotations: [3, 'byteMap'],
});
const decryptRequest = messageCodec('DecryptRequest', {
  ciphertext: [1, 'bytes'],
  uid: [2, 'text'],
  keyId: [3, 'text'],
  annotations: [4, 'byteMap'],
});
const decryptResponse = messageCodec('DecryptResponse', { plaintext: [1, 'bytes'] });

/** Far above the size of a valid response. */
const maxMessageSize = 1024 * 1024;
const channelOptions = {
  // A socket has no host name. Servers in Go reject an authority that is a path.
  'grpc.default_authority': 'localhost',
  'grpc.max_receive_message_length': maxMessageSize,
  // Reconnects soon when a plugin recovers.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 1000,
};
const transientCodes: ReadonlySet<string> = new Set([
  'CANCELLED',
  'DEADLINE_EXCEEDED',
  'RESOURCE_EXHAUSTED',
  'ABORTED',
  'UNAVAILABLE',
]);

/** Does not connect before the first call. The library is loaded on demand, because few servers use a plugin. */
export async function openKmsService({ socket, timeoutMs }: KmsConfiguration): Promise<KmsService> {
  const { Client, credentials, Metadata, status } = await import('@grpc/grpc-js');
  const path = socket.startsWith('@') ? `\0${socket.slice(1)}` : socket;
  const client: Client = new Client(`unix:${path}`, credentials.createInsecure(), channelOptions);
  // While the plugin is starting, calls wait for it.
  const metadata = new Metadata({ waitForReady: true });
  const failure = (error: ServiceError): KmsCallError => {
    // The library reports some malformed responses without a status.
    const name = status[error.code] ?? 'UNKNOWN';
    const code = goName(name);
    const message = `rpc error: code = ${code} desc = ${error.details ?? 'malformed response'}`;
    return new KmsCallError(message, { isTransient: transientCodes.has(name), code, cause: error });
  };
  const call =
    <Q, R>(method: string, request: MessageCodec<Q>, response: MessageCodec<R>) =>
    (message: Q): Promise<R> =>
      new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          `/v2.KeyManagementService/${method}`,
          (sent: Q) => request.encode(sent),
          (received: Buffer) => response.decode(received),
          message,
          metadata,
          { deadline: Date.now() + timeoutMs },
          (error, decoded) => (error === null ? resolve(decoded!) : reject(failure(error))),
        );
      });
  const methods = {
    status: call('Status', statusRequest, statusResponse),
    encrypt: call('Encrypt', encryptRequest, encryptResponse),
    decrypt: call('Decrypt', decryptRequest, decryptResponse),
  };
  return {
    status: () => methods.status({}),
    encrypt: (plaintext) => methods.encrypt({ plaintext, uid: randomUUID() }),
    decrypt: async (ciphertext) => (await methods.decrypt({ ...ciphertext, uid: randomUUID() })).plaintext,
    close: () => client.close(),
  };
}

/** `DEADLINE_EXCEEDED` becomes `DeadlineExceeded`. */
function goName(name: string): string {
  return name.toLowerCase().replace(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase());
}

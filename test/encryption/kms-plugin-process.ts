/** A KMS plugin as a process: `v2.KeyManagementService` on a unix socket. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import {
  type handleUnaryCall,
  Server,
  ServerCredentials,
  type ServiceDefinition,
  status,
  type UntypedHandleCall,
} from '@grpc/grpc-js';
import protobuf from 'protobufjs';
import type { KmsCommand, KmsSettings } from './kms-plugin.ts';

const { root } = protobuf.parse(`
syntax = "proto3";
message StatusRequest {}
message StatusResponse { string version = 1; string healthz = 2; string key_id = 3; }
message DecryptRequest { bytes ciphertext = 1; string uid = 2; string key_id = 3; map<string, bytes> annotations = 4; }
message DecryptResponse { bytes plaintext = 1; }
message EncryptRequest { bytes plaintext = 1; string uid = 2; }
message EncryptResponse { bytes ciphertext = 1; string key_id = 2; map<string, bytes> annotations = 3; }
`);

let settings: KmsSettings = JSON.parse(process.argv[3]!);
let calls: string[] = [];
const annotation = 'nonce.kms.example.com';

/** Derives a key from its ID. It is the same in every process. */
const keyOf = (id: string): Buffer => createHash('sha256').update(`key ${id}`).digest();

const methods = {
  Status: () => ({ version: settings.version, healthz: settings.healthz, keyId: settings.keyId }),
  Encrypt: ({ plaintext }: { plaintext: Buffer }) => {
    const keyId = settings.encryptKeyId ?? settings.keyId;
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', keyOf(keyId), nonce);
    const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
    return { ciphertext, keyId, annotations: { [annotation]: nonce } };
  },
  Decrypt: (request: { ciphertext: Buffer; keyId: string; annotations: Record<string, Buffer> }) => {
    const { ciphertext, keyId, annotations } = request;
    if (settings.lostKeys.includes(keyId)) throw new Error(`the key ${keyId} is lost`);
    const decipher = createDecipheriv('aes-256-gcm', keyOf(keyId), annotations[annotation]!);
    decipher.setAuthTag(ciphertext.subarray(-16));
    return { plaintext: Buffer.concat([decipher.update(ciphertext.subarray(0, -16)), decipher.final()]) };
  },
};

const definition: Record<string, ServiceDefinition[string]> = {};
const handlers: Record<string, UntypedHandleCall> = {};
for (const [method, run] of Object.entries(methods)) {
  const request = root.lookupType(`${method}Request`);
  const response = root.lookupType(`${method}Response`);
  definition[method] = {
    path: `/v2.KeyManagementService/${method}`,
    requestStream: false,
    responseStream: false,
    requestSerialize: (value) => Buffer.from(request.encode(value).finish()),
    requestDeserialize: (bytes) => request.toObject(request.decode(bytes)),
    responseSerialize: (value) => Buffer.from(response.encode(response.create(value)).finish()),
    responseDeserialize: (bytes) => response.decode(bytes),
  };
  const handle: handleUnaryCall<unknown, object> = (call, respond) => {
    calls.push(method);
    if (settings.hanging.includes(method)) return;
    try {
      respond(null, run(call.request as never));
    } catch (error) {
      respond({ code: status.INVALID_ARGUMENT, details: (error as Error).message });
    }
  };
  handlers[method] = handle;
}

process.on('message', (command: KmsCommand) => {
  if (command.kind === 'set') settings = command.settings;
  process.send!(calls);
  calls = [];
});
const server = new Server();
server.addService(definition, handlers);
server.bindAsync(`unix:${process.argv[2]}`, ServerCredentials.createInsecure(), (error) => {
  if (error !== null) throw error;
  process.send!('ready');
});

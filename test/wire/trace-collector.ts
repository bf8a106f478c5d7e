import { Server, ServerCredentials, type ServiceDefinition } from '@grpc/grpc-js';
import protobuf from 'protobufjs';

/** The parts of the OpenTelemetry protocol that the tests use. */
const protocol = `syntax = "proto3";
message Value { string string_value = 1; int64 int_value = 3; }
message Attribute { string key = 1; Value value = 2; }
message Resource { repeated Attribute attributes = 1; }
message Link { bytes trace_id = 1; bytes span_id = 2; }
message Status { int32 code = 3; }
message Span {
  bytes trace_id = 1; bytes span_id = 2; string trace_state = 3; bytes parent_span_id = 4; string name = 5;
  int32 kind = 6; fixed64 start = 7; fixed64 end = 8; repeated Attribute attributes = 9; repeated Link links = 13;
  Status status = 15;
}
message ScopeSpans { repeated Span spans = 2; }
message ResourceSpans { Resource resource = 1; repeated ScopeSpans scope_spans = 2; }
message Request { repeated ResourceSpans resource_spans = 1; }`;

export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly traceState: string;
  readonly name: string;
  readonly kind: number;
  readonly start: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly status: number;
  readonly resource: Readonly<Record<string, string>>;
}

/** An OpenTelemetry collector that keeps the spans that it receives. */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  readonly #server = new Server();
  port = 0;

  async start(): Promise<void> {
    const request = protobuf.parse(protocol, { keepCase: false }).root.lookupType('Request');
    const service: ServiceDefinition = {
      export: {
        path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    };
    this.#server.addService(service, {
      // biome-ignore lint/suspicious/noExplicitAny: the call is not described
      export: (call: any, done: any) => {
        const message = request.toObject(request.decode(call.request), {
          longs: Number,
          bytes: String,
          defaults: true,
          // biome-ignore lint/suspicious/noExplicitAny: the message is described above
        }) as any;
        for (const { resource, scopeSpans } of message.resourceSpans) {
          for (const span of scopeSpans.flatMap(({ spans }: { spans: object[] }) => spans)) {
            this.spans.push(collected(span, resource));
          }
        }
        done(null, Buffer.alloc(0));
      },
    });
    this.port = await new Promise((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      );
    });
  }

  stop(): void {
    this.#server.forceShutdown();
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the message is described above
function collected(span: any, resource: any): CollectedSpan {
  const hex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
  // biome-ignore lint/suspicious/noExplicitAny: the message is described above
  const fields = (list: any[]) =>
    Object.fromEntries(list.map(({ key, value }) => [key, value.stringValue || String(value.intValue)]));
  return {
    ...span,
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: hex(span.parentSpanId),
    attributes: fields(span.attributes),
    // biome-ignore lint/suspicious/noExplicitAny: the message is described above
    links: span.links.map((link: any) => ({ traceId: hex(link.traceId), spanId: hex(link.spanId) })),
    status: span.status?.code ?? 0,
    resource: fields(resource.attributes),
  };
}

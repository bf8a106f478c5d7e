/** Protocols that carry several streams over one connection. They are independent of servers, requests and objects. */
export { type ChannelProtocol, Channels, channelProtocols, commandChannels } from './channels/channels.ts';
export { SpdyConnection } from './spdy/spdy-connection.ts';
export type { SpdyStream } from './spdy/spdy-stream.ts';

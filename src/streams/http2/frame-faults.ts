import type { FrameHead } from './frame-reader.ts';
import { maxSettings } from './limits.ts';
import {
  defaultMaxFrameSize,
  type ErrorCode,
  errorCodes,
  flags,
  frameTypes,
  maxFrameSizeLimit,
  maxWindow,
  settings,
} from './protocol.ts';

/** Returns the connection error for a frame with an invalid stream or length. */
export function frameFault({ type, id, flags: flag, length }: FrameHead): ErrorCode | undefined {
  switch (type) {
    case frameTypes.windowUpdate:
    case frameTypes.reset:
      return length === 4 ? undefined : errorCodes.frameSizeError;
    case frameTypes.settings:
      if (id !== 0) return errorCodes.protocolError;
      if (length % 6 !== 0 || ((flag & flags.ack) !== 0 && length > 0)) return errorCodes.frameSizeError;
      return length / 6 > maxSettings ? errorCodes.enhanceYourCalm : undefined;
    case frameTypes.ping:
      if (id !== 0) return errorCodes.protocolError;
      return length === 8 ? undefined : errorCodes.frameSizeError;
    case frameTypes.goAway:
      if (id !== 0) return errorCodes.protocolError;
      return length >= 8 ? undefined : errorCodes.frameSizeError;
    case frameTypes.headers:
    case frameTypes.priority:
      return id === 0 ? errorCodes.protocolError : undefined;
    // Clients must not push streams.
    case frameTypes.pushPromise:
      return errorCodes.protocolError;
    default:
      return undefined;
  }
}

/** Returns the error for an invalid setting of the client. Unknown settings are ignored. */
export function settingFault(setting: number, value: number): ErrorCode | undefined {
  switch (setting) {
    case settings.enablePush:
    case settings.enableConnectProtocol:
      return value > 1 ? errorCodes.protocolError : undefined;
    case settings.initialWindowSize:
      return value > maxWindow ? errorCodes.flowControlError : undefined;
    case settings.maxFrameSize:
      return value < defaultMaxFrameSize || value > maxFrameSizeLimit ? errorCodes.protocolError : undefined;
    default:
      return undefined;
  }
}

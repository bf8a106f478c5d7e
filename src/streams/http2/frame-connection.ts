import { frameFault, settingFault } from './frame-faults.ts';
import { type FrameHandler, type FrameHead, FrameReader } from './frame-reader.ts';
import { type HeaderBlock, HeaderBlocks } from './header-blocks.ts';
import { maxBlockRatio } from './limits.ts';
import type { OutgoingData } from './outgoing-data.ts';
import type { Output } from './output.ts';
import { type ErrorCode, errorCodes, flags, frameTypes, maxWindow, settings } from './protocol.ts';
import { ReceiveWindow } from './receive-window.ts';

const pingPayload = Buffer.from('keelson!', 'latin1');

/** A stream of either side. */
export interface ConnectionStream extends OutgoingData {
  /** The number of bytes that the peer may send. */
  receiveWindow: number;
  /** Receives a part of the body. Returns false when the body is longer than announced. */
  receive(chunk: Buffer): boolean;
  /** Records that bytes of the body have been consumed. */
  acknowledge(length: number): void;
}

export interface FrameConnectionOptions {
  readonly peer: 'client' | 'server';
  /** The maximum size of a list of headers, in bytes. */
  readonly maxHeaderSize: number;
  /** The amount of data that the peer may send without acknowledgement. */
  readonly window: number;
}

/** The frame handling that is common to both sides of an HTTP/2 connection (RFC 9113). */
export abstract class FrameConnection<Stream extends ConnectionStream> implements FrameHandler {
  /** Once true, no further frames are read or written. */
  isClosed = false;
  protected abstract readonly output: Output<Stream>;
  protected readonly blocks: HeaderBlocks;
  readonly #reader: FrameReader;
  readonly #receiveWindow: ReceiveWindow;
  /** The stream of the current data frame. Undefined if its bytes are dropped. */
  #dataStream: Stream | undefined = undefined;
  #dataIsLast = false;
  /** The remaining bytes of the frame after its data. */
  #dataPadding = 0;
  #onPong: (() => void) | undefined = undefined;

  constructor({ peer, maxHeaderSize, window }: FrameConnectionOptions) {
    this.blocks = new HeaderBlocks(maxBlockRatio * maxHeaderSize);
    this.#reader = new FrameReader(this, { peer });
    this.#receiveWindow = new ReceiveWindow(window);
  }

  /** Whether the peer has not answered the last ping yet. */
  get isPinged(): boolean {
    return this.#onPong !== undefined;
  }

  /** The number of the frame of which only a part has arrived. Undefined if there is none, and for data. */
  protected get incompleteFrame(): number | undefined {
    return this.#reader.incompleteFrame;
  }

  /** Sends a ping. Calls back once when the peer responds. */
  ping(onPong: () => void): void {
    this.#onPong = onPong;
    if (this.isClosed) return;
    this.output.frames.ping(pingPayload, 0);
    this.output.flush();
  }

  /** Ends the connection because of a fault of the peer. */
  protected abstract fail(code: ErrorCode): void;
  /** Ends a stream because of a fault of the peer. */
  protected abstract breakStream(stream: Stream, code: ErrorCode): void;
  protected abstract streamOf(id: number): Stream | undefined;
  protected abstract openStreams(): Iterable<Stream>;
  /** The stream that receives the data of a frame. Undefined when the data is dropped. */
  protected abstract streamForData(head: FrameHead): Stream | undefined;
  /** Called when the peer has sent everything. */
  protected abstract complete(stream: Stream): void;
  protected abstract onBlock(block: HeaderBlock): void;
  protected abstract onReset(head: FrameHead, payload: Buffer): void;
  protected abstract onGoAway(payload: Buffer): void;
  /** Called for the first settings of the peer. */
  protected abstract onIntroduced(): void;
  /** Called for settings that do not concern data. */
  protected abstract onSetting(setting: number, value: number): void;
  /** Called when a header block is incomplete, and when its last frame has arrived. */
  protected onBlockOpened(): void {}

  protected onBlockClosed(): void {}
  /** Counts a frame that does not belong to a request. Returns false when there are too many. */
  protected chargeControlFrame(): boolean {
    return true;
  }
  /** Called for a window update of a stream that is not open. */
  protected onStrayWindow(_id: number): void {}
  protected onPriority(_head: FrameHead, _payload: Buffer): void {}

  protected receive(chunk: Buffer): void {
    if (this.isClosed) return;
    this.output.isHeld = true;
    try {
      this.#reader.read(chunk);
    } finally {
      this.output.release();
    }
  }

  // The callbacks of the frame reader.

  onFrame(head: FrameHead, payload: Buffer): void {
    const fault = this.blocks.isExpected(head) ? frameFault(head) : errorCodes.protocolError;
    if (fault !== undefined) {
      this.fail(fault);
      return;
    }
    switch (head.type) {
      case frameTypes.headers:
        this.#onHeaders(head, payload);
        break;
      case frameTypes.continuation:
        this.#onContinuation(head, payload);
        break;
      case frameTypes.windowUpdate:
        this.#onWindowUpdate(head, payload);
        break;
      case frameTypes.reset:
        this.onReset(head, payload);
        break;
      case frameTypes.settings:
        this.#onSettings(head, payload);
        break;
      case frameTypes.ping:
        this.#onPing(head, payload);
        break;
      case frameTypes.priority:
        this.onPriority(head, payload);
        break;
      case frameTypes.goAway:
        this.onGoAway(payload);
        break;
      default:
        this.chargeControlFrame();
    }
  }

  onDataBegin(head: FrameHead): void {
    const { id, length } = head;
    this.#dataStream = undefined;
    if (!this.blocks.isExpected(head) || id === 0) {
      this.fail(errorCodes.protocolError);
      return;
    }
    if (!this.#receiveWindow.fits(length)) {
      this.fail(errorCodes.flowControlError);
      return;
    }
    this.output.acknowledge(this.#receiveWindow.take(length));
    const stream = this.streamForData(head);
    if (stream === undefined) return;
    if (length > stream.receiveWindow) {
      this.breakStream(stream, errorCodes.flowControlError);
      return;
    }
    this.#dataIsLast = (head.flags & flags.endStream) !== 0;
    if (length === 0 && !this.#dataIsLast && !this.chargeControlFrame()) return;
    stream.receiveWindow -= length;
    this.#dataStream = stream;
    this.#dataPadding = length;
  }

  onData(chunk: Buffer): void {
    const stream = this.#dataStream;
    this.#dataPadding -= chunk.length;
    if (stream === undefined || stream.isClosed || stream.receive(chunk)) return;
    this.#dataStream = undefined;
    this.breakStream(stream, errorCodes.protocolError);
  }

  onDataEnd(): void {
    const stream = this.#dataStream;
    this.#dataStream = undefined;
    if (stream === undefined || stream.isClosed) return;
    if (this.#dataIsLast) this.complete(stream);
    // Padding counts like data for flow control, but needs no memory.
    else if (this.#dataPadding > 0) stream.acknowledge(this.#dataPadding);
  }

  onBrokenFrame(code: ErrorCode): void {
    this.fail(code);
  }

  #onHeaders(head: FrameHead, payload: Buffer): void {
    const result = this.blocks.begin(head, payload);
    if (result === undefined) this.onBlockOpened();
    else if ('fault' in result) this.fail(result.fault);
    else this.onBlock(result);
  }

  #onContinuation(head: FrameHead, payload: Buffer): void {
    const result = this.blocks.continue(head, payload);
    if (result === undefined) return;
    if ('fault' in result) {
      this.fail(result.fault);
    } else {
      this.onBlockClosed();
      this.onBlock(result);
    }
  }

  #onWindowUpdate({ id }: FrameHead, payload: Buffer): void {
    if (!this.chargeControlFrame()) return;
    const increment = payload.readUInt32BE(0) & maxWindow;
    if (id === 0) {
      const fault = this.output.enlargeWindow(increment);
      if (fault !== undefined) this.fail(fault);
      return;
    }
    const stream = this.streamOf(id);
    if (stream === undefined) {
      this.onStrayWindow(id);
      return;
    }
    const fault = this.output.enlargeStreamWindow(stream, increment);
    if (fault !== undefined) this.breakStream(stream, fault);
  }

  #onSettings({ flags: flag, length }: FrameHead, payload: Buffer): void {
    if ((flag & flags.ack) !== 0 || !this.chargeControlFrame()) return;
    for (let at = 0; at < length && !this.isClosed; at += 6) {
      this.#set(payload.readUInt16BE(at), payload.readUInt32BE(at + 2));
    }
    if (this.isClosed) return;
    this.output.frames.settingsAck();
    if (this.blocks.mayCome) return;
    this.blocks.mayCome = true;
    this.onIntroduced();
  }

  #set(setting: number, value: number): void {
    const fault = settingFault(setting, value);
    if (fault !== undefined) this.fail(fault);
    else if (setting === settings.maxFrameSize) this.output.maxFrameSize = value;
    else if (setting === settings.initialWindowSize) this.#setInitialWindow(value);
    else this.onSetting(setting, value);
  }

  #setInitialWindow(size: number): void {
    const fault = this.output.setInitialWindow(size, this.openStreams());
    if (fault !== undefined) this.fail(fault);
  }

  #onPing({ flags: flag }: FrameHead, payload: Buffer): void {
    if (!this.chargeControlFrame()) return;
    if ((flag & flags.ack) === 0) this.output.frames.ping(payload, flags.ack);
    else if (payload.equals(pingPayload)) this.#pingAcknowledged();
  }

  #pingAcknowledged(): void {
    const onPong = this.#onPong;
    this.#onPong = undefined;
    onPong?.();
  }
}

import { crc32, deflateSync, inflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const maxColours = 256;

/**
 * Returns the image as a PNG with a palette, which is at most a quarter of the size. It is meant for screenshots, which
 * have few colours: rare colours are replaced by the nearest frequent ones. Takes 8-bit colours without interlacing, as
 * browsers make them.
 */
export function shrinkPng(png: Buffer): Buffer {
  const { width, height, channels, data } = read(png);
  const pixels = unfilter(inflateSync(data), { width, height, channels });
  const counts = new Map<number, number>();
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a).slice(0, maxColours);
  const palette = frequent.map(([colour]) => colour);
  const indexOf = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour)]));
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = indexOf.get(pixels[y * width + x]!)!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const chunks = [chunk('IHDR', header), chunk('PLTE', colours), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return Buffer.concat([signature, ...chunks, chunk('IEND', Buffer.alloc(0))]);
}

function read(png: Buffer): { width: number; height: number; channels: number; data: Buffer } {
  const data: Buffer[] = [];
  for (let at = signature.length; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
  }
  const [depth, type, , , interlacing] = png.subarray(24, 29);
  if (depth !== 8 || (type !== 2 && type !== 6) || interlacing !== 0) throw new RangeError('not such a PNG');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  return { width, height, channels: type === 6 ? 4 : 3, data: Buffer.concat(data) };
}

/** Undoes the filters of the rows. The result has one number of 24 bits for each pixel. */
function unfilter(
  bytes: Buffer,
  { width, height, channels }: { width: number; height: number; channels: number },
): Uint32Array {
  const stride = width * channels;
  const pixels = new Uint32Array(width * height);
  let above: Buffer = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const filter = bytes[y * (stride + 1)]!;
    const row = bytes.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1));
    for (let at = 0; at < stride; at++) {
      const left = at >= channels ? row[at - channels]! : 0;
      const corner = at >= channels ? above[at - channels]! : 0;
      row[at] = row[at]! + predicted(filter, { left, up: above[at]!, corner });
    }
    for (let x = 0; x < width; x++) pixels[y * width + x] = row.readUIntBE(x * channels, 3);
    above = row;
  }
  return pixels;
}

function predicted(filter: number, { left, up, corner }: { left: number; up: number; corner: number }): number {
  if (filter === 1) return left;
  if (filter === 2) return up;
  if (filter === 3) return (left + up) >> 1;
  if (filter !== 4) return 0;
  const [byLeft, byUp, byCorner] = [Math.abs(up - corner), Math.abs(left - corner), Math.abs(left + up - 2 * corner)];
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function nearest(palette: readonly number[], colour: number): number {
  let found = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, other] of palette.entries()) {
    const distance =
      ((colour >> 16) - (other >> 16)) ** 2 +
      (((colour >> 8) & 255) - ((other >> 8) & 255)) ** 2 +
      ((colour & 255) - (other & 255)) ** 2;
    if (distance >= least) continue;
    least = distance;
    found = index;
  }
  return found;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length, 0);
  made.set(body, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}

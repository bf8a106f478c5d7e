import { describe, expect, it } from 'vitest';
import { isLatestImage } from './image-reference.ts';

const digest = `sha256:${'0'.repeat(64)}`;

describe('isLatestImage', () => {
  it.each([
    ['web', true],
    ['web:latest', true],
    ['shop/web', true],
    ['registry.example:5000/web', true],
    ['Registry/web', true],
    [`web:latest@${digest}`, true],
    ['web:1', false],
    ['registry.example:5000/web:1', false],
    [`web@${digest}`, false],
    ['', false],
    ['Web', false],
    ['web:', false],
    [' web', false],
    ['0'.repeat(64), false],
    ['a'.repeat(256), false],
  ])('%j: %s', (image, expected) => {
    expect(isLatestImage(image)).toBe(expected);
  });
});

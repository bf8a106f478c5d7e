import { describe, expect, it } from 'vitest';
import type { ResourceObject } from '../../meta/object.ts';
import {
  incrementTemplateGeneration,
  initializeTemplateGeneration,
  keepTemplateGeneration,
  setTemplateGenerationDefault,
} from './template-generation.ts';

const annotation = 'deprecated.daemonset.template.generation';

function daemonSet(annotations?: Record<string, string>, image = 'a'): ResourceObject {
  return { kind: 'DaemonSet', metadata: { annotations }, spec: { template: { spec: { containers: [{ image }] } } } };
}

describe('the template generation', () => {
  it.each<[string | undefined, string]>([
    [undefined, '1'],
    ['0', '1'],
    ['-7', '1'],
    ['+04', '4'],
  ])('is, for a new daemon set whose annotation is %s, %s', (sent, kept) => {
    const object = daemonSet(sent === undefined ? undefined : { z: '1', [annotation]: sent });
    setTemplateGenerationDefault(object);
    initializeTemplateGeneration(object);
    expect(object.metadata.annotations?.[annotation]).toBe(kept);
  });

  it('keeps the annotations sorted', () => {
    const object = daemonSet({ a: '1', z: '2' });
    setTemplateGenerationDefault(object);
    expect(Object.keys(object.metadata.annotations!)).toEqual(['a', annotation, 'z']);
  });

  it.each([
    ['x', 'invalid syntax'],
    ['99999999999999999999', 'value out of range'],
  ])('cannot be %s', (sent, problem) => {
    expect(() => setTemplateGenerationDefault(daemonSet({ [annotation]: sent }))).toThrow(
      `DaemonSet in version "v1" cannot be handled as a DaemonSet: strconv.ParseInt: parsing "${sent}": ${problem}`,
    );
  });

  it.each([
    ['rises with the template', 'b', '6'],
    ['stays with the template', 'a', '5'],
  ])('%s, whatever the client sends', (_name, image, kept) => {
    const next = daemonSet({ [annotation]: '9' }, image);
    incrementTemplateGeneration(next, daemonSet({ [annotation]: '5' }));
    expect(next.metadata.annotations).toEqual({ [annotation]: kept });
  });

  it('cannot be changed by a status update', () => {
    const next = daemonSet({ [annotation]: '0', b: '1' });
    keepTemplateGeneration(next, daemonSet({ [annotation]: '5' }));
    expect(next.metadata.annotations).toEqual({ b: '1', [annotation]: '5' });
  });
});

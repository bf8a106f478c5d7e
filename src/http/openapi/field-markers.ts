import type { Field, StructSchema } from '../../schema/model.ts';
import type { JsonSchema } from './dialect.ts';

/** The Kubernetes extensions that state how clients and server merge the field. */
export function fieldMarkers({ list, map, patch }: Field): JsonSchema {
  return {
    ...(typeof list === 'string' && { 'x-kubernetes-list-type': list }),
    ...(typeof list === 'object' && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': list }),
    ...(map !== undefined && { 'x-kubernetes-map-type': map }),
    ...(patch !== undefined && { 'x-kubernetes-patch-strategy': patch.strategies.join(',') }),
    ...(patch?.mergeKey !== undefined && { 'x-kubernetes-patch-merge-key': patch.mergeKey }),
  };
}

export function unionMarkers({ unions }: StructSchema): JsonSchema {
  if (unions.length === 0) return {};
  return {
    'x-kubernetes-unions': unions.map(({ discriminator, fields }) => ({
      ...(discriminator !== undefined && { discriminator }),
      'fields-to-discriminateBy': fields,
    })),
  };
}

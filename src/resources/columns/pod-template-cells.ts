/** What the columns read of a pod template. */
export interface PodTemplate {
  readonly metadata?: { readonly labels?: Readonly<Record<string, string>> };
  readonly spec?: {
    readonly containers?: readonly { readonly name?: string; readonly image?: string }[];
    readonly nodeSelector?: Readonly<Record<string, string>>;
  };
}

/** The cells for the names and for the images of the containers. */
export function containerCells(template: PodTemplate | null | undefined): string[] {
  const containers = template?.spec?.containers ?? [];
  return [containers.map(({ name }) => name ?? '').join(','), containers.map(({ image }) => image ?? '').join(',')];
}

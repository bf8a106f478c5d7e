import { useSignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { showError } from '../state/toasts.ts';

/** A component whose code is loaded when it is first shown. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Lazy(props: P) {
    const isLoaded = useSignal(loaded !== undefined);
    useEffect(() => {
      if (loaded) return;
      load().then((component) => {
        loaded = component;
        isLoaded.value = true;
      }, showError);
    }, [isLoaded]);
    if (!isLoaded.value || !loaded) return <p class="loading">Loading…</p>;
    const Component = loaded;
    return <Component {...props} />;
  };
}

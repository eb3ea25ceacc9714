import { Suspense, useCallback, useState, type ReactNode } from "react";

/** The distance to the viewport at which a part is loaded. */
const MARGIN = "100px";

interface NearProps {
  /** The classes of the height of its place, so that nothing moves when it is loaded. */
  height: string;
  /** A part that is loaded when it is first rendered. */
  children: ReactNode;
}

/**
 * Renders `children` once their place is nearly in the viewport, or once somebody moves by Tab, who would pass over it;
 * at once in a browser that can't tell.
 */
export function Near({ height, children }: NearProps) {
  const [isNear, setNear] = useState(!("IntersectionObserver" in globalThis));
  const observe = useCallback((place: HTMLElement | null) => {
    if (!place || !("IntersectionObserver" in globalThis)) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      { rootMargin: MARGIN },
    );
    const onKey = ({ key }: KeyboardEvent): void => {
      if (key === "Tab") setNear(true);
    };
    observer.observe(place);
    document.addEventListener("keydown", onKey);
    return () => {
      observer.disconnect();
      document.removeEventListener("keydown", onKey);
    };
  }, []);
  return (
    <div ref={observe} className={height}>
      {isNear && (
        <Suspense fallback={<div aria-hidden="true" className={`skeleton ${height}`} />}>{children}</Suspense>
      )}
    </div>
  );
}

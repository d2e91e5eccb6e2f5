/** The longest scale that is shown as stars. */
export const starsMax = 5;

export function ScaleAnswer({ value, outOf }: { value: number; outOf: number }) {
  return (
    <>
      {outOf <= starsMax && (
        <span class="rated" aria-hidden="true">
          {'★'.repeat(value)}
          {'☆'.repeat(outOf - value)}{' '}
        </span>
      )}
      {value}/{outOf}
    </>
  );
}

/** The package has no types. */
declare module "@jitsi/rnnoise-wasm/dist/rnnoise-sync.js" {
  export interface RnnoiseModule {
    readonly ready: Promise<unknown>;
    readonly HEAPF32: Float32Array;
    _malloc(bytes: number): number;
    _free(pointer: number): void;
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** Returns the probability of speech. */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  export default function createRNNWasmModuleSync(): RnnoiseModule;
}


@group(0) @binding(0) var<storage, read> tiles: array<f32>;
@group(0) @binding(1) var<storage, read_write> differences: array<f32>;

// A workgroup has a tile of 8x128 slots, which lie side by side in memory: 4 for each of its invocations.
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) tile: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
    for (var slot = tile.x * 1024u + invocation; slot < (tile.x + 1u) * 1024u; slot += 256u) {
        let at = image_index(slot);
        // Padding stays 0.
        if (!at.is_element) {
            differences[slot] = 0.0;
            continue;
        }
        var next = 0.0;
        if (image_in_bounds(at.i0, at.i1 + 1u)) {
            next = tiles[image_offset(at.i0, at.i1 + 1u)];
        }
        differences[slot] = next - tiles[slot];
    }
}

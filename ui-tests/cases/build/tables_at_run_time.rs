use layout::layout;

type A = layout!(F32[20,300]{1,0:T(8,128)});

fn main() {
    println!("{}", A::element_table::<[u8; 9216]>().len());
    println!("{}", A::offset_table::<[usize; 5]>().len());
}

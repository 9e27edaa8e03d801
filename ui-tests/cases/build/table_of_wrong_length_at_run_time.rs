use layout::layout;

type A = layout!(F32[20,300]{1,0:T(8,128)});

fn main() {
    println!("{}", A::offset_table::<[usize; 5]>().len());
}
